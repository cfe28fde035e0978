import { useSyncExternalStore } from 'react';
import { onRefusal } from '../lib/api.js';

/** Told when Google has confirmed, in a window of its own, who is signed in. */
export const confirmedChannel = 'sign-in-confirmed';

/** A call waits for the person to prove again who they are. */
let waiting: { done: Promise<boolean>; settle(confirmed: boolean): void } | undefined;
/** A dialog that can ask is on the screen. */
let askers = 0;
const listeners = new Set<() => void>();

function changed(): void {
  listeners.forEach((listener) => listener());
}

/** Calls that are refused meanwhile wait for the same answer. */
function ask(): Promise<boolean> {
  if (askers === 0) return Promise.resolve(false);
  if (!waiting) {
    let settle!: (confirmed: boolean) => void;
    const done = new Promise<boolean>((resolve) => (settle = resolve));
    waiting = { done, settle };
    changed();
  }
  return waiting.done;
}

/** The person has proved it, or would not: what waited goes on, or stays refused. */
export function settleFreshSignIn(confirmed: boolean): void {
  waiting?.settle(confirmed);
  waiting = undefined;
  changed();
}

/** Whether the dialog has to ask now. Whoever shows it uses this. */
export function useFreshSignInAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      askers += 1;
      return () => {
        listeners.delete(listener);
        askers -= 1;
      };
    },
    () => waiting !== undefined,
    () => false,
  );
}

const before = onRefusal(async (problem) =>
  problem.code === 'FRESH_SIGN_IN_REQUIRED' ? ask() : ((await before?.(problem)) ?? false),
);
