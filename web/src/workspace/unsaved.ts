import { useEffect, useSyncExternalStore } from 'react';

/** How many forms on the screen hold what is not saved. */
let forms = 0;
const listeners = new Set<() => void>();

function add(change: 1 | -1): void {
  forms += change;
  listeners.forEach((listener) => listener());
}

/** Says that there is something on the screen that would be lost with it. */
export function useMarkUnsaved(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    add(1);
    return () => add(-1);
  }, [unsaved]);
}

export function useUnsaved(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => forms > 0,
    () => false,
  );
}
