import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ErrorCode, errorSentences, isErrorCode } from '#libs/contracts';

/**
 * The path to return to after signing in: the one passed by the screen that sent the person here, or `fallback`. The path is kept in the history
 * entry, which links of other sites cannot set; it survives a reload and is passed between login and register.
 */
export function useReturnPath(fallback: string): string {
  const from = (useLocation().state as { from?: unknown } | null)?.from;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : fallback;
}

const key = 'sign-in-return-path';

/** Remembers the path in case the sign-in with Google leads back to the login, because it failed or needs a second step. */
export function rememberReturnPath(path: string): void {
  try {
    sessionStorage.setItem(key, path);
  } catch {
    // Without storage, the person lands on the dashboard.
  }
}

function rememberedReturnPath(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * If a sign-in with Google has failed, the address contains an error code. Each of these codes is shown with its own sentence, any other code with
 * that of INTERNAL. The address contains a code, not the sentence itself, because otherwise a link could show any text on this screen.
 */
const reportableCodes: readonly ErrorCode[] = [
  'SIGN_IN_CANCELLED',
  'SIGN_IN_EXPIRED',
  'SIGN_IN_REFUSED',
  'ADDRESS_UNVERIFIED',
  'UNAUTHENTICATED',
  'SESSION_ENDED',
  'NOT_FOUND',
  'UNAVAILABLE',
  'TIMEOUT',
];

/**
 * The result of signing in with Google: why it failed, in a sentence, or that the second step is next. The result is moved from
 * the address to the history entry, which also gets the remembered path to return to. `forget` discards the result.
 */
export function useGoogleReturn(): { failure: string | undefined; atSecondStep: boolean; forget(): void } {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const result = (state as { from?: unknown; problem?: unknown; step?: unknown } | null) ?? {};
  useEffect(() => {
    const query = new URLSearchParams(search);
    const [problem, step] = [query.get('problem'), query.get('step')];
    if (problem === null && step === null) return;
    void navigate(pathname, { replace: true, state: { from: rememberedReturnPath(), problem, step } });
  }, [pathname, search, navigate]);
  return {
    failure: typeof result.problem === 'string' ? sentenceOf(result.problem) : undefined,
    atSecondStep: result.step === 'second-factor',
    forget: () => void navigate(pathname, { replace: true, state: { from: result.from } }),
  };
}

function sentenceOf(problem: string): string {
  const code = isErrorCode(problem) && reportableCodes.includes(problem) ? problem : 'INTERNAL';
  return code === 'NOT_FOUND' ? 'Signing in with Google isn’t set up on this site.' : errorSentences[code];
}
