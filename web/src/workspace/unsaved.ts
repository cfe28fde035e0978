import { useEffect, useSyncExternalStore } from 'react';

/** Number of forms on the screen with unsaved changes. */
let forms = 0;
const listeners = new Set<() => void>();

function add(change: 1 | -1): void {
  forms += change;
  listeners.forEach((listener) => listener());
}

/** Marks the screen as having unsaved changes. */
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
