import { useId, useRef, useState } from 'react';

/** Which rows are chosen. Only what is shown can be: nobody deletes what they do not see. */
export interface Selection {
  /** In the order in which they are shown. */
  ids: readonly string[];
  has(id: string): boolean;
  /** `through`: all from the one that was clicked last to this one become what this one becomes. */
  toggle(id: string, through: boolean): void;
  /** Every row that is shown. */
  all: boolean;
  toggleAll(): void;
  /** Chooses these, and no others. */
  keep(ids: readonly string[]): void;
  /** Id of the box that chooses the whole page. */
  boxId: string;
  /** Goes on from there when the keyboard was on what is gone now. */
  resume(): void;
}

const none: readonly string[] = [];

export function useSelection(rows: readonly { _id: string }[] | undefined): Selection {
  const shown = rows?.map(({ _id }) => _id) ?? none;
  const page = shown.join();
  const [chosen, setChosen] = useState({ page, ids: none });
  const last = useRef<string>(undefined);
  const boxId = useId();
  // What went out of sight is no longer chosen, also when it comes back.
  if (chosen.page !== page) setChosen({ page, ids: shown.filter((id) => chosen.ids.includes(id)) });
  const ids = shown.filter((id) => chosen.ids.includes(id));
  const keep = (kept: readonly string[]) => setChosen({ page, ids: kept });
  return {
    ids,
    has: (id) => ids.includes(id),
    toggle(id, through) {
      const from = through ? shown.indexOf(last.current ?? id) : -1;
      const to = shown.indexOf(id);
      const range = from < 0 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      last.current = id;
      const others = ids.filter((other) => !range.includes(other));
      keep(ids.includes(id) ? others : [...others, ...range]);
    },
    all: shown.length > 0 && ids.length === shown.length,
    toggleAll: () => keep(ids.length === shown.length ? none : shown),
    keep,
    boxId,
    resume() {
      if (document.activeElement === document.body) document.getElementById(boxId)?.focus();
    },
  };
}
