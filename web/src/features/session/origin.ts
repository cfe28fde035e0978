import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ErrorCode, errorSentences, isErrorCode } from '#libs/contracts';

/**
 * The path of the protected screen that sent the person here, or `otherwise`. It is kept in the history
 * entry, which links of other sites cannot set; it survives a reload and is passed between login and
 * register.
 */
export function useOrigin(otherwise: string): string {
  const from = (useLocation().state as { from?: unknown } | null)?.from;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : otherwise;
}

const key = 'sign-in-origin';

/**
 * Remembers the path for people who return from Google to the login, because the sign-in failed or needs a second
 * step.
 */
export function rememberOrigin(origin: string): void {
  try {
    sessionStorage.setItem(key, origin);
  } catch {
    // Without storage they land on the dashboard.
  }
}

function rememberedOrigin(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The error codes that the address may contain after the return from Google. The address never contains a sentence, because anyone could write one. */
const reportableCodes: readonly ErrorCode[] = [
  'SIGN_IN_CANCELLED',
  'SIGN_IN_EXPIRED',
  'SIGN_IN_REFUSED',
  'ADDRESS_UNVERIFIED',
  'NOT_FOUND',
  'UNAVAILABLE',
  'TIMEOUT',
];

/**
 * The result of signing in with Google: why it failed, or that the second step is next. The result is moved from
 * the address to the history entry, which also gets the remembered path to return to.
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
  const code = isErrorCode(given) && reportableCodes.includes(given) ? given : 'INTERNAL';
  return code === 'NOT_FOUND' ? 'Signing in with Google isn’t set up on this site.' : errorSentences[code];
}
