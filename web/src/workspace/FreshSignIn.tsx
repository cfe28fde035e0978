import { useEffect, useId, useRef, useState } from 'react';
import type { SignInSecurity } from '#libs/contracts';
import { Field } from '../components/Field.js';
import { FormProblem } from '../components/FormProblem.js';
import { PasswordField } from '../components/PasswordField.js';
import { Waiting } from '../components/Waiting.js';
import { type Answer, callApi, type Problem } from '../lib/api.js';
import { useForm } from '../lib/form.js';
import { loadPasskeyCode } from '../lib/load-passkey-code.js';
import { confirmedChannelName, settleFreshSignIn, useFreshSignInRequested } from './fresh-sign-in.js';
import { Failure } from './Failure.js';
import { useQuery, useRefetch } from './query.js';
import { useModal } from './use-modal.js';

/** Asks the person to confirm their identity when a call requires a fresh sign-in. The call is then repeated, and nothing typed is lost. */
export function FreshSignIn() {
  return useFreshSignInRequested() ? <FreshSignInDialog /> : null;
}

function FreshSignInDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const security = useQuery('GET /auth/security');
  useModal(dialog);
  useEffect(() => {
    const channel = new BroadcastChannel(confirmedChannelName);
    channel.onmessage = () => settleFreshSignIn(true);
    return () => channel.close();
  }, []);
  return (
    <dialog
      className="dialog"
      ref={dialog}
      aria-labelledby={titleId}
      onClose={() => settleFreshSignIn(false)}
    >
      <h2 id={titleId}>Confirm it’s you</h2>
      <p>For your security, sign in again to make this change. Your unsaved changes are still here.</p>
      {security.data ? (
        <ConfirmForm security={security.data} />
      ) : security.problem ? (
        <Failure query={security} />
      ) : (
        <Waiting />
      )}
    </dialog>
  );
}

function useConfirmation(security: SignInSecurity) {
  const refetch = useRefetch();
  const [passkeyProblem, setPasskeyProblem] = useState<Problem>();
  const { totp, passkeys, recoveryCodesLeft } = security;
  const hasSecondFactor = totp !== null || passkeys.length > 0;
  const codeMissing = totp ? 'Enter a code' : 'Use your passkey, or enter a recovery code';
  const { problem, ...form } = useForm<'freshSignInPassword' | 'freshSignInCode', unknown>({
    checks: {
      freshSignInPassword: (value) => (value ? undefined : 'Password is Required'),
      freshSignInCode: (value) => (!hasSecondFactor || value.trim() ? undefined : codeMissing),
    },
    async send({ freshSignInPassword, freshSignInCode }) {
      setPasskeyProblem(undefined);
      const code = hasSecondFactor ? { code: freshSignInCode } : {};
      const answer = await confirmWithPassword({ password: freshSignInPassword, ...code });
      const refused = answer.ok ? [] : answer.problem.fields.map(({ field }) => field);
      // A second factor was added in another tab meanwhile.
      if (!hasSecondFactor && refused.includes('freshSignInCode')) await refetch();
      return answer;
    },
    onSent: () => settleFreshSignIn(true),
  });
  async function confirmWithPasskey(): Promise<void> {
    const { askPasskey } = await loadPasskeyCode();
    const answer = await askPasskey('POST /auth/confirm/options');
    if ('problem' in answer) return setPasskeyProblem(answer.problem);
    const result = await callApi('POST /auth/confirm', { body: answer });
    if (result.ok) settleFreshSignIn(true);
    else setPasskeyProblem(result.problem);
  }
  return {
    ...form,
    problem: passkeyProblem ?? problem,
    hasSecondFactor,
    // With a second factor, the password is not enough: a code from the app or a recovery code is needed too.
    asksForPassword: security.password && (!hasSecondFactor || totp !== null || recoveryCodesLeft > 0),
    confirmWithPasskey: () => void confirmWithPasskey(),
  };
}

function ConfirmForm({ security }: { security: SignInSecurity }) {
  const { google, totp, passkeys } = security;
  const { form, field, problem, sending, hasSecondFactor, asksForPassword, confirmWithPasskey } =
    useConfirmation(security);
  // With a second factor, Google is not enough.
  const offersGoogle = google && !hasSecondFactor;
  return (
    <form className="form" method="post" {...form}>
      {asksForPassword && (
        <PasswordField
          {...field('freshSignInPassword')}
          label="Password"
          autoComplete="current-password"
          autoFocus
          required
        />
      )}
      {asksForPassword && hasSecondFactor && (
        <Field
          {...field('freshSignInCode')}
          label={totp ? 'Code from your app, or a recovery code' : 'Recovery code'}
          autoComplete="one-time-code"
          required
        />
      )}
      {!asksForPassword && !offersGoogle && passkeys.length === 0 && (
        <p>
          You can’t confirm your identity here. Copy what you’ve typed, sign out, sign in again, and then make
          this change.
        </p>
      )}
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button button--quiet" type="button" onClick={() => settleFreshSignIn(false)}>
          Cancel
        </button>
        {passkeys.length > 0 && (
          <button className="button button--quiet" type="button" onClick={confirmWithPasskey}>
            Use a passkey
          </button>
        )}
        {offersGoogle && <ConfirmWithGoogle />}
        {asksForPassword && (
          <button className="button" type="submit" aria-disabled={sending}>
            {sending ? 'One moment' : 'Confirm'}
          </button>
        )}
      </p>
    </form>
  );
}

/** In the form, the names differ from those of the API, because the screen behind the dialog may have fields with the same names. */
const formNames: Record<string, string> = { password: 'freshSignInPassword', code: 'freshSignInCode' };

async function confirmWithPassword(body: { password: string; code?: string }): Promise<Answer<unknown>> {
  const answer = await callApi('POST /auth/confirm', { body });
  if (answer.ok) return answer;
  const { problem } = answer;
  const fields = problem.fields.map(({ field, ...rest }) => ({ field: formNames[field] ?? field, ...rest }));
  return { ok: false, problem: { ...problem, fields } };
}

const googleConfirmUrl = '/auth/google?purpose=confirm&return=%2Faccount%2Fsecurity%23confirmed';

function ConfirmWithGoogle() {
  return (
    <button
      className="button button--quiet"
      type="button"
      onClick={() => window.open(googleConfirmUrl, '_blank', 'popup,width=520,height=720')}
    >
      Confirm with Google
    </button>
  );
}
