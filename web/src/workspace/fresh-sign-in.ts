import { useSyncExternalStore } from 'react';
import { setRefusalListener } from '../lib/api.js';

/** Names the BroadcastChannel that gets a message when the person has confirmed their identity with Google in another window. */
export const confirmedChannelName = 'sign-in-confirmed';

/** Refused calls wait for this while the person is asked to confirm their identity. */
let waiting: { confirmed: Promise<boolean>; settle(isConfirmed: boolean): void } | undefined;
/** Mounted `FreshSignIn` components. Without one, the person cannot be asked. */
let mountedCount = 0;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  listeners.forEach((listener) => listener());
}

/** Further calls that are refused meanwhile wait for the same answer. */
function askForFreshSignIn(): Promise<boolean> {
  if (mountedCount === 0) return Promise.resolve(false);
  if (!waiting) {
    let settle!: (isConfirmed: boolean) => void;
    const confirmed = new Promise<boolean>((resolve) => (settle = resolve));
    waiting = { confirmed, settle };
    notifyListeners();
  }
  return waiting.confirmed;
}

/** If the person has confirmed, the waiting calls are repeated; otherwise, they stay refused. */
export function settleFreshSignIn(confirmed: boolean): void {
  waiting?.settle(confirmed);
  waiting = undefined;
  notifyListeners();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  mountedCount += 1;
  return () => {
    listeners.delete(listener);
    mountedCount -= 1;
    // The screen was left, so its calls must not be repeated later, perhaps by another person.
    if (mountedCount === 0) settleFreshSignIn(false);
  };
}

/** Whether the person is being asked. For `FreshSignIn` only: `mountedCount` counts the components that use this hook. */
export function useFreshSignInRequested(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => waiting !== undefined,
    () => false,
  );
}

const previousListener = setRefusalListener(async (problem) =>
  problem.code === 'FRESH_SIGN_IN_REQUIRED'
    ? askForFreshSignIn()
    : ((await previousListener?.(problem)) ?? false),
);
