import { useEffect, useSyncExternalStore } from 'react';
import type { Account } from '#libs/contracts';
import { type Answer, callApi, onRefusal, type Problem } from './api.js';

export type Session =
  /**
   * Not known yet: what the server renders, since cached pages are the same for everybody. With a problem when the question could
   * not be answered; it is asked again.
   */
  | { status: 'unknown'; problem?: Problem }
  | { status: 'signed-out' }
  | { status: 'signed-in'; account: Account };

const unknown: Session = { status: 'unknown' };
const askAgainAfterMs = 3000;

let session: Session = unknown;
/** Which of several questions asked meanwhile was the last: only its answer counts. */
let question = 0;
/** The other tabs of this browser, which share its cookies. */
let otherTabs: BroadcastChannel | undefined;
const listeners = new Set<() => void>();

function set(next: Session): void {
  question += 1;
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

async function ask(): Promise<void> {
  if (!mayBeSignedIn()) return set({ status: 'signed-out' });
  const asked = (question += 1);
  const answer = await callApi('GET /auth/me');
  if (asked !== question) return;
  if (answer.ok) return set({ status: 'signed-in', account: answer.value.account });
  if (answer.problem.status === 401) return set({ status: 'signed-out' });
  // Not to know is not to be signed out: nobody is sent to the login over an outage.
  if (session.status !== 'signed-in') set({ status: 'unknown', problem: answer.problem });
  const unanswered = question;
  setTimeout(() => {
    if (unanswered === question) void ask();
  }, askAgainAfterMs);
}

/** Also what other tabs did: their sign-in and sign-out changed the cookies of this one. */
function start(): void {
  if (otherTabs) return;
  otherTabs = new BroadcastChannel('session');
  otherTabs.onmessage = () => void ask();
  // What no tab could tell: the cookies ran out, or this page was kept in the back/forward cache.
  document.addEventListener('visibilitychange', () => {
    const changed = mayBeSignedIn() !== (session.status === 'signed-in');
    if (document.visibilityState === 'visible' && changed) void ask();
  });
  void ask();
}

/** Changes the session in this tab, and tells the others. */
export function changeSession(next: Session): void {
  set(next);
  otherTabs?.postMessage(next.status);
}

let renewing: Promise<boolean> | undefined;

/** Gets a new access token by the refresh cookie. Two tabs may do so at once: the server honours both. */
async function renew(): Promise<boolean> {
  const answer = await callApi('POST /auth/refresh', { asIs: true });
  if (!answer.ok && answer.problem.status === 401) changeSession({ status: 'signed-out' });
  return answer.ok;
}

onRefusal(async ({ code }) => {
  if (code === 'UNAUTHENTICATED' || code === 'SESSION_ENDED') {
    if (mayBeSignedIn()) return (renewing ??= renew().finally(() => (renewing = undefined)));
    if (session.status === 'signed-in') changeSession({ status: 'signed-out' });
  }
  // Who was an admin may be none any more.
  if (code === 'FORBIDDEN') void ask();
  return false;
});

/** Who is signed in. `unknown` on the server and for a moment in the browser. */
export function useSession(): Session {
  useEffect(start, []);
  return useSyncExternalStore(
    subscribe,
    () => session,
    () => unknown,
  );
}

/** Signs in with the answer of a call that does so. */
export async function enter<T extends { account: Account }>(call: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await call;
  if (answer.ok) changeSession({ status: 'signed-in', account: answer.value.account });
  return answer;
}
