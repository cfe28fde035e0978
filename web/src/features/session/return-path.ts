import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ErrorCode, errorSentences, isErrorCode } from '#libs/contracts';

/**
 * The path to open after signing in. It is kept in the history entry, which links of other sites cannot set. It survives a reload and is passed
 * between login and register.
 */
export function useReturnPath(fallback: string): string {
  const from = (useLocation().state as { from?: unknown } | null)?.from;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : fallback;
}

const storageKey = 'sign-in-return-path';

/** Keeps the path for the login screen, to which the gateway redirects if signing in with Google fails or needs a second step. */
export function rememberReturnPath(path: string): void {
  try {
    sessionStorage.setItem(storageKey, path);
  } catch {
    // Without storage, the person lands on the dashboard.
  }
}

function readReturnPath(): string | null {
  try {
    return sessionStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/**
 * The address of the login contains a code, not a sentence, because otherwise a link could show any text there. Codes that are not in this list are
 * shown with the sentence of INTERNAL.
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

interface GoogleReturn {
  /** Why the sign-in failed, in a sentence. */
  failure: string | undefined;
  /** Set if the second step is next. `methods` are the account's ways to complete it; undefined if the address does not name them. */
  secondFactor: { methods: readonly string[] | undefined } | undefined;
  /** Removes the result from the history entry, so that the login starts over. */
  forgetResult(): void;
}

/** Moves the result of signing in with Google from the address to the history entry, together with the remembered path to return to. */
export function useGoogleReturn(): GoogleReturn {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const result =
    (state as { from?: unknown; problem?: unknown; step?: unknown; methods?: unknown } | null) ?? {};
  useEffect(() => {
    const query = new URLSearchParams(search);
    const [problem, step] = [query.get('problem'), query.get('step')];
    if (problem === null && step === null) return;
    const methods = query.get('methods');
    void navigate(pathname, {
      replace: true,
      state: { from: readReturnPath(), problem, step, methods },
    });
  }, [pathname, search, navigate]);
  return {
    failure: typeof result.problem === 'string' ? sentenceOf(result.problem) : undefined,
    secondFactor:
      result.step === 'second-factor'
        ? { methods: typeof result.methods === 'string' ? result.methods.split(',') : undefined }
        : undefined,
    forgetResult: () => void navigate(pathname, { replace: true, state: { from: result.from } }),
  };
}

function sentenceOf(problem: string): string {
  const code = isErrorCode(problem) && reportableCodes.includes(problem) ? problem : 'INTERNAL';
  return code === 'NOT_FOUND' ? 'Signing in with Google isn’t set up on this site.' : errorSentences[code];
}
