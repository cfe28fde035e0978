import { useSyncExternalStore } from 'react';

type ToastKind = 'success' | 'problem';

export interface Toast {
  id: number;
  text: string;
  kind: ToastKind;
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

/**
 * Show an error as a toast only if what caused it is no longer on the screen; otherwise, show it next to its cause. The toast of an error stays until
 * it is dismissed.
 */
export function showToast(text: string, kind: ToastKind = 'success'): void {
  const toast = { id: nextId++, text, kind };
  set([...toasts, toast]);
  if (kind === 'success') setTimeout(() => dismissToast(toast.id), shownForMs);
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
