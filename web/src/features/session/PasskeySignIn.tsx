import { useEffect, useState } from 'react';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi, type Problem } from '../../lib/api.js';
import { loadPasskeyCode } from '../../lib/load-passkey-code.js';
import { startSession } from '../../lib/session.js';

/** The server accepts an answer to an offer for 15 minutes. */
const renewOfferMs = 14 * 60_000;
const retryOfferMs = 30_000;

/**
 * Signs in with a passkey that the button asks for, or that the browser lists at the e-mail field. Success changes the session, and the screen then
 * redirects.
 */
export function PasskeySignIn() {
  const [problem, setProblem] = useState<Problem>();
  const [asking, setAsking] = useState(false);
  // The browser runs one ceremony at a time, so the offer at the e-mail field ends when the button opens a dialog, and begins again afterwards.
  useEffect(() => {
    if (asking) return;
    let hasEnded = false;
    void (async () => {
      const { askPasskey, canOfferPasskeys, stopOffering } = await import('../../lib/passkeys.js');
      if (hasEnded || !(await canOfferPasskeys())) return;
      // If the server refuses a passkey, the person can choose another.
      for (let isSignedIn = false; !isSignedIn;) {
        let isExpired = false;
        const expiry = setTimeout(() => {
          isExpired = true;
          stopOffering();
        }, renewOfferMs);
        const answer = await askPasskey('POST /auth/passkey/options', { offer: true });
        clearTimeout(expiry);
        if (hasEnded) return;
        if (isExpired) continue;
        // After a problem, such as no connection, the offer is made again later. Without a problem, the person or another ceremony ended it.
        if (!('passkey' in answer)) {
          if (!answer.problem) return;
          await new Promise((resolve) => setTimeout(resolve, retryOfferMs));
          if (hasEnded) return;
          continue;
        }
        const refusal = await signIn(answer.passkey);
        if (hasEnded) return;
        setProblem(refusal);
        isSignedIn = refusal === undefined;
      }
    })().catch(() => undefined);
    return () => {
      hasEnded = true;
      // If the code could not be loaded, nothing was offered.
      void import('../../lib/passkeys.js').then(
        ({ stopOffering }) => stopOffering(),
        () => undefined,
      );
    };
  }, [asking]);
  async function askAndSignIn(): Promise<void> {
    if (asking) return;
    setAsking(true);
    const { askPasskey } = await loadPasskeyCode();
    const answer = await askPasskey('POST /auth/passkey/options');
    setProblem('passkey' in answer ? await signIn(answer.passkey) : answer.problem);
    setAsking(false);
  }
  return (
    <>
      <button
        className="button button--quiet"
        type="button"
        aria-disabled={asking}
        onClick={() => void askAndSignIn()}
      >
        Sign in with a passkey
      </button>
      <FormProblem problem={problem} />
    </>
  );
}

async function signIn(passkey: Record<string, unknown>): Promise<Problem | undefined> {
  const answer = await startSession(callApi('POST /auth/passkey', { body: { passkey } }));
  return answer.ok ? undefined : answer.problem;
}
