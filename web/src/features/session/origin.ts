import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ErrorCode, errorSentences, isErrorCode } from '#libs/contracts';

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
 * What signing in with Google led back here with: why it failed, or that the second step is next. The address is tidied: this moves into the
 * history entry, and with it where the person was going.
 */
export function useGoogleReturn(): { problem: string | undefined; atSecondStep: boolean; forget(): void } {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const given = (state as { problem?: unknown; step?: unknown } | null) ?? {};
  useEffect(() => {
    const query = new URLSearchParams(search);
    const [problem, step] = [query.get('problem'), query.get('step')];
    if (problem === null && step === null) return;
    void navigate(pathname, { replace: true, state: { from: rememberedOrigin(), problem, step } });
  }, [pathname, search, navigate]);
  return {
    problem: typeof given.problem === 'string' ? sentenceOf(given.problem) : undefined,
    atSecondStep: given.step === 'second-factor',
    forget: () => void navigate(pathname, { replace: true, state: { from: rememberedOrigin() } }),
  };
}

function sentenceOf(given: string): string {
  const code = isErrorCode(given) && tellable.includes(given) ? given : 'INTERNAL';
  return code === 'NOT_FOUND' ? 'Signing in with Google isn’t set up on this site.' : errorSentences[code];
}
