import { useEffect, useSyncExternalStore } from 'react';
import type { Account } from '#libs/contracts';
import { type Answer, callApi, setRefusalListener, type Problem } from './api.js';

export type Session =
  /** The server always renders this, because cached pages are the same for everybody. With a `problem`, the session is read again soon. */
  | { status: 'unknown'; problem?: Problem }
  | { status: 'signed-out' }
  | { status: 'signed-in'; account: Account };

const unknownSession: Session = { status: 'unknown' };
const retryAfterMs = 3000;

let session: Session = unknownSession;
/** Increases with every read and every change: answers to earlier reads are ignored. */
let revision = 0;
/** Tells the other tabs, which share this one's cookies, that the session has changed. */
let otherTabs: BroadcastChannel | undefined;
const listeners = new Set<() => void>();

function setSession(next: Session): void {
  revision += 1;
  session = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The cookie `signed_in` is not a secret. It saves signed-out visitors a call that would answer 401. */
function mayBeSignedIn(): boolean {
  return /(?:^|;\s*)signed_in=1(?:;|$)/.test(document.cookie);
}

async function readSession(): Promise<void> {
  if (!mayBeSignedIn()) return setSession({ status: 'signed-out' });
  const thisRead = (revision += 1);
  const answer = await callApi('GET /auth/me');
  if (thisRead !== revision) return;
  if (answer.ok) return setSession({ status: 'signed-in', account: answer.value.account });
  if (answer.problem.status === 401 && !renewalProblem) return setSession({ status: 'signed-out' });
  // An outage must not sign people out or send them to the login.
  if (session.status !== 'signed-in')
    setSession({ status: 'unknown', problem: renewalProblem ?? answer.problem });
  const before = revision;
  setTimeout(() => {
    if (before === revision) void readSession();
  }, retryAfterMs);
}

/** Signing in or out in another tab changes this tab's cookies, so the session is then read again. */
function startListening(): void {
  if (otherTabs) return;
  otherTabs = new BroadcastChannel('session');
  otherTabs.onmessage = () => void readSession();
  // For changes that no tab announces: the cookies expired, or the page was in the back/forward cache.
  document.addEventListener('visibilitychange', () => {
    const changed = mayBeSignedIn() !== (session.status === 'signed-in');
    if (document.visibilityState === 'visible' && changed) void readSession();
  });
  void readSession();
}

/** Also notifies the other tabs. */
export function changeSession(next: Session): void {
  setSession(next);
  otherTabs?.postMessage(next.status);
}

let renewing: Promise<boolean> | undefined;
/** Why the last renewal failed, if that was not because the session has ended. */
let renewalProblem: Problem | undefined;

/** The server allows two tabs to renew at the same time. */
async function renewSession(): Promise<boolean> {
  const answer = await callApi('POST /auth/refresh', { withoutRenewal: true });
  const hasEnded = !answer.ok && answer.problem.status === 401;
  renewalProblem = answer.ok || hasEnded ? undefined : answer.problem;
  if (hasEnded) changeSession({ status: 'signed-out' });
  return answer.ok;
}

setRefusalListener(async ({ code }) => {
  if (code === 'UNAUTHENTICATED' || code === 'SESSION_ENDED') {
    if (mayBeSignedIn()) return (renewing ??= renewSession().finally(() => (renewing = undefined)));
    if (session.status === 'signed-in') changeSession({ status: 'signed-out' });
  }
  // The person may no longer be an admin.
  if (code === 'FORBIDDEN') void readSession();
  return false;
});

/** `unknown` on the server, and in the browser until the session has been read. */
export function useSession(): Session {
  useEffect(startListening, []);
  return useSyncExternalStore(
    subscribe,
    () => session,
    () => unknownSession,
  );
}

export async function startSession<T extends { account: Account }>(
  call: Promise<Answer<T>>,
): Promise<Answer<T>> {
  const answer = await call;
  if (answer.ok) changeSession({ status: 'signed-in', account: answer.value.account });
  return answer;
}
