import { useSyncExternalStore } from 'react';
import { onRefusal } from '../lib/api.js';

/** The `BroadcastChannel` that gets a message when the person has confirmed their identity with Google in another window. */
export const confirmedChannel = 'sign-in-confirmed';

/** What refused calls wait for while the person is asked to confirm their identity. */
let waiting: { confirmed: Promise<boolean>; settle(isConfirmed: boolean): void } | undefined;
/** How many `FreshSignIn` components are mounted. The person can be asked only if there is one. */
let mountedCount = 0;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  listeners.forEach((listener) => listener());
}

/** Asks the person to confirm their identity. Further calls that are refused meanwhile wait for the same answer. */
function ask(): Promise<boolean> {
  if (mountedCount === 0) return Promise.resolve(false);
  if (!waiting) {
    let settle!: (isConfirmed: boolean) => void;
    const confirmed = new Promise<boolean>((resolve) => (settle = resolve));
    waiting = { confirmed, settle };
    notifyListeners();
  }
  return waiting.confirmed;
}

/** The person has confirmed their identity, or declined: waiting calls continue, or stay refused. */
export function settleFreshSignIn(confirmed: boolean): void {
  waiting?.settle(confirmed);
  waiting = undefined;
  notifyListeners();
}

/** Whether the person has to be asked now. For `FreshSignIn` only, which the hook counts as mounted. */
export function useFreshSignInAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      mountedCount += 1;
      return () => {
        listeners.delete(listener);
        mountedCount -= 1;
      };
    },
    () => waiting !== undefined,
    () => false,
  );
}

const previousListener = onRefusal(async (problem) =>
  problem.code === 'FRESH_SIGN_IN_REQUIRED' ? ask() : ((await previousListener?.(problem)) ?? false),
);
