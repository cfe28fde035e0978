import { useEffect, useSyncExternalStore } from 'react';
import type { Account } from '#libs/contracts';
import { type Answer, callApi } from './api.js';

export type Session =
  /** Not asked yet: what the server renders, since cached pages are the same for everybody. */
  { status: 'unknown' } | { status: 'signed-out' } | { status: 'signed-in'; account: Account };

const unknown: Session = { status: 'unknown' };
let session: Session = unknown;
let asked: Promise<void> | undefined;
const listeners = new Set<() => void>();

function set(next: Session): void {
  session = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The cookie holds no secret; it only saves signed-out visitors a call that would answer 401. */
function mayBeSignedIn(): boolean {
  return /(?:^|;\s*)signed_in=1(?:;|$)/.test(document.cookie);
}

type WithAccount = { account: Account };

async function ask(): Promise<void> {
  if (!mayBeSignedIn()) return set({ status: 'signed-out' });
  let answer = await callApi<WithAccount>('/auth/me');
  if (!answer.ok && answer.problem.status === 401) {
    const refreshed = await callApi('/auth/refresh', { method: 'POST', body: {} });
    if (refreshed.ok) answer = await callApi<WithAccount>('/auth/me');
  }
  set(answer.ok ? { status: 'signed-in', account: answer.value.account } : { status: 'signed-out' });
}

/** Who is signed in. `unknown` on the server and for a moment in the browser. */
export function useSession(): Session {
  useEffect(() => void (asked ??= ask()), []);
  return useSyncExternalStore(
    subscribe,
    () => session,
    () => unknown,
  );
}

export interface Credentials {
  email: string;
  password: string;
}

async function enter(path: string, credentials: Credentials): Promise<Answer<WithAccount>> {
  const answer = await callApi<WithAccount>(path, { method: 'POST', body: credentials });
  if (answer.ok) set({ status: 'signed-in', account: answer.value.account });
  return answer;
}

export const signIn = (credentials: Credentials) => enter('/auth/login', credentials);
export const signUp = (credentials: Credentials) => enter('/auth/register', credentials);

export async function signOut(): Promise<Answer<unknown>> {
  const answer = await callApi('/auth/logout', { method: 'POST', body: {} });
  if (answer.ok) set({ status: 'signed-out' });
  return answer;
}
