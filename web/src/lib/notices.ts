import { useSyncExternalStore } from 'react';

export interface Notice {
  id: number;
  text: string;
}

const none: readonly Notice[] = [];
/** Long enough to be read twice. */
const shownForMs = 6_000;

let notices = none;
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Notice[]): void {
  notices = next;
  listeners.forEach((listener) => listener());
}

/** Says that something worked. What failed is said where it was typed, not here. */
export function notify(text: string): void {
  const notice = { id: nextId++, text };
  set([...notices, notice]);
  setTimeout(() => dismiss(notice.id), shownForMs);
}

export function dismiss(id: number): void {
  set(notices.filter((notice) => notice.id !== id));
}

export function useNotices(): readonly Notice[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
    () => none,
  );
}
