import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ErrorCode, errorSentences, isErrorCode } from '#libs/contracts';
import type { Problem } from '../../lib/api.js';

/**
 * Where the person was going when a protected screen sent them here, or `otherwise`. It travels in the history entry, which no
 * link of another site can write, outlives a reload, and is handed from login to register and back.
 */
export function useOrigin(otherwise: string): string {
  const from = (useLocation().state as { from?: unknown } | null)?.from;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : otherwise;
}

const key = 'sign-in-origin';

/** For whoever comes back from Google to the login, because it did not work, or is not all. */
export function rememberOrigin(origin: string): void {
  try {
    sessionStorage.setItem(key, origin);
  } catch {
    // They land on the dashboard.
  }
}

function rememberedOrigin(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** What Google's way back says in the address: a code of ours, never a sentence of somebody's. */
const tellable: readonly ErrorCode[] = [
  'SIGN_IN_CANCELLED',
  'SIGN_IN_EXPIRED',
  'SIGN_IN_REFUSED',
  'ADDRESS_UNVERIFIED',
  'NOT_FOUND',
  'UNAVAILABLE',
  'TIMEOUT',
];

/**
 * Why signing in with Google led back here. The address is tidied: the code moves into the history entry, and with it where the person
 * was going.
 */
export function useGoogleProblem(): Problem | undefined {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const problem = new URLSearchParams(search).get('problem');
    if (problem === null) return;
    void navigate(pathname, { replace: true, state: { from: rememberedOrigin(), problem } });
  }, [pathname, search, navigate]);
  const given = (state as { problem?: unknown } | null)?.problem;
  if (given === undefined) return undefined;
  const code = isErrorCode(given) && tellable.includes(given) ? given : 'INTERNAL';
  const sentence = code === 'NOT_FOUND' ? 'Signing in with Google is not set up here.' : errorSentences[code];
  return { status: 0, code, sentence, fields: [] };
}
