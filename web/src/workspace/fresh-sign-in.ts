import { useSyncExternalStore } from 'react';
import { onRefusal } from '../lib/api.js';

/** Receives a message when the person has confirmed their identity with Google in another window. */
export const confirmedChannel = 'sign-in-confirmed';

/** Calls that wait for the person to confirm their identity. */
let waiting: { done: Promise<boolean>; settle(confirmed: boolean): void } | undefined;
/** How many mounted dialogs can ask. */
let mountedDialogs = 0;
const listeners = new Set<() => void>();

function changed(): void {
  listeners.forEach((listener) => listener());
}

/** Calls that are refused in the meantime wait for the same answer. */
function ask(): Promise<boolean> {
  if (mountedDialogs === 0) return Promise.resolve(false);
  if (!waiting) {
    let settle!: (confirmed: boolean) => void;
    const done = new Promise<boolean>((resolve) => (settle = resolve));
    waiting = { done, settle };
    changed();
  }
  return waiting.done;
}

/** The person has confirmed their identity, or declined: waiting calls continue, or stay refused. */
export function settleFreshSignIn(confirmed: boolean): void {
  waiting?.settle(confirmed);
  waiting = undefined;
  changed();
}

/** Whether the dialog has to ask now. For the dialog only: using the hook registers it. */
export function useFreshSignInAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      mountedDialogs += 1;
      return () => {
        listeners.delete(listener);
        mountedDialogs -= 1;
      };
    },
    () => waiting !== undefined,
    () => false,
  );
}

const before = onRefusal(async (problem) =>
  problem.code === 'FRESH_SIGN_IN_REQUIRED' ? ask() : ((await before?.(problem)) ?? false),
);
