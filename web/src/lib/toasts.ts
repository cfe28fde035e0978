import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  text: string;
}

const none: readonly Toast[] = [];
/** Long enough to read a toast twice. */
const shownForMs = 6_000;

let toasts = none;
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  listeners.forEach((listener) => listener());
}

/** For success messages. Errors are shown next to what caused them, if that is still on the screen. */
export function showToast(text: string): void {
  const toast = { id: nextId++, text };
  set([...toasts, toast]);
  setTimeout(() => dismissToast(toast.id), shownForMs);
}

export function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
    () => none,
  );
}
