import { useState } from 'react';

const keyOf = (table: string) => `columns:${table}`;

/** If storage is forbidden or does not hold a list, all columns are shown. */
function read(table: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(table)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

function keep(table: string, hidden: readonly string[]): void {
  try {
    if (hidden.length > 0) localStorage.setItem(keyOf(table), JSON.stringify(hidden));
    else localStorage.removeItem(keyOf(table));
  } catch {
    // Without storage, the choice lasts until the screen is left.
  }
}

/** This browser remembers the hidden columns if `table` is given. */
export function useHiddenColumns(table: string | undefined) {
  const [hidden, setHidden] = useState(() => (table ? read(table) : []));
  return {
    isHidden: (key: string) => hidden.includes(key),
    toggle(key: string): void {
      const next = hidden.includes(key) ? hidden.filter((other) => other !== key) : [...hidden, key];
      setHidden(next);
      if (table) keep(table, next);
    },
  };
}
