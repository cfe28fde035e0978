import { useEffect, useSyncExternalStore } from 'react';

let unsavedForms = 0;
const listeners = new Set<() => void>();

function add(change: 1 | -1): void {
  unsavedForms += change;
  listeners.forEach((listener) => listener());
}

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
    () => unsavedForms > 0,
    () => false,
  );
}
