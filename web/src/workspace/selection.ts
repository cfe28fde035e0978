import { useId, useRef, useState } from 'react';

/** Only visible rows can be selected, which prevents deleting rows out of sight. */
export interface Selection {
  /** In display order. */
  ids: readonly string[];
  has(id: string): boolean;
  /** `through`: applies the change to all rows from the last toggled one to this one. */
  toggle(id: string, through: boolean): void;
  /** False if no row is visible. */
  allSelected: boolean;
  toggleAll(): void;
  select(ids: readonly string[]): void;
  /** Id of the checkbox that selects all visible rows. */
  boxId: string;
  /** Focuses that checkbox if the focused element is gone. */
  restoreFocus(): void;
}

const none: readonly string[] = [];

export function useSelection(rows: readonly { _id: string }[] | undefined): Selection {
  const shown = rows?.map(({ _id }) => _id) ?? none;
  const shownKey = shown.join();
  const [chosen, setChosen] = useState({ shownKey, ids: none });
  const lastToggled = useRef<string>(undefined);
  const boxId = useId();
  // Rows that are no longer visible are deselected, and stay so when they come back.
  if (chosen.shownKey !== shownKey)
    setChosen({ shownKey, ids: shown.filter((id) => chosen.ids.includes(id)) });
  const ids = shown.filter((id) => chosen.ids.includes(id));
  const select = (selected: readonly string[]) => setChosen({ shownKey, ids: selected });
  return {
    ids,
    has: (id) => ids.includes(id),
    toggle(id, through) {
      const from = through ? shown.indexOf(lastToggled.current ?? id) : -1;
      const to = shown.indexOf(id);
      const range = from < 0 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      lastToggled.current = id;
      const others = ids.filter((other) => !range.includes(other));
      select(ids.includes(id) ? others : [...others, ...range]);
    },
    allSelected: shown.length > 0 && ids.length === shown.length,
    toggleAll: () => select(ids.length === shown.length ? none : shown),
    select,
    boxId,
    restoreFocus() {
      if (document.activeElement === document.body) document.getElementById(boxId)?.focus();
    },
  };
}
