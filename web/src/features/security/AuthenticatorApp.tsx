import { useState } from 'react';
import type { SignInSecurity } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { type AnswerOf, callApi } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { announceSessionChange } from '../../lib/announce-session-change.js';
import { type ChangeResult, useRefetch, useSave } from '../../workspace/query.js';
import { Status } from '../../workspace/Status.js';
import { When } from '../../workspace/When.js';

interface AuthenticatorAppProps {
  totp: SignInSecurity['totp'];
  /** `recoveryCodes` is null unless this is the first factor. Resolves once the screen shows the factor. */
  onAdded(recoveryCodes: string[] | null): Promise<void>;
  onRemoved(): void;
}

type Enrollment = AnswerOf<'POST /auth/totp'>;

export function AuthenticatorApp({ totp, onAdded, onRemoved }: AuthenticatorAppProps) {
  const [enrollment, setEnrollment] = useState<Enrollment>();
  // Set up by an attempt whose answer was lost, or in another tab. A later setup gets another key.
  if (totp && enrollment) setEnrollment(undefined);
  const [removing, setRemoving] = useState(false);
  const { save: begin, problem } = useSave(async () => {
    const answer = await callApi('POST /auth/totp');
    if (!answer.ok) return answer.problem;
    setEnrollment(answer.value);
    return undefined;
  });
  async function remove(): Promise<ChangeResult> {
    const answer = await callApi('DELETE /auth/totp');
    if (!answer.ok) return answer.problem;
    announceSessionChange();
    onRemoved();
    return () => showToast('Authenticator app removed');
  }
  return (
    <section className="panel" aria-labelledby="app-title">
      <h2 id="app-title">Authenticator app</h2>
      {totp ? (
        <>
          <p>
            <Status tone="good">Set up</Status>{' '}
            <span className="security-quiet">
              since <When at={totp.since} />
            </span>
          </p>
          <p>
            <button className="button button--quiet" type="button" onClick={() => setRemoving(true)}>
              Remove app
            </button>
          </p>
        </>
      ) : enrollment ? (
        <EnrollmentForm
          enrollment={enrollment}
          onDone={async (codes) => {
            await onAdded(codes);
            setEnrollment(undefined);
            showToast('Authenticator app set up');
          }}
        />
      ) : (
        <>
          <p>
            An app on your phone shows a 6-digit code that changes every 30 seconds. You enter it as the
            second step of signing in.
          </p>
          <FormProblem problem={problem} />
          <p>
            <button className="button" type="button" onClick={() => void begin()}>
              Set up app
            </button>
          </p>
        </>
      )}
      {removing && (
        <ConfirmDialog
          title="Remove authenticator app?"
          actionLabel="Remove app"
          confirm={remove}
          close={() => setRemoving(false)}
        >
          You’ll no longer need its codes to sign in.
        </ConfirmDialog>
      )}
    </section>
  );
}

interface EnrollmentFormProps {
  enrollment: Enrollment;
  onDone(codes: string[] | null): Promise<void>;
}

function EnrollmentForm({ enrollment, onDone }: EnrollmentFormProps) {
  const { secret, uri, qr } = enrollment;
  const refetch = useRefetch();
  const { form, field, problem, sending } = useForm({
    checks: { code: (code) => (/^\s*(\d\s*){6}$/.test(code) ? undefined : 'Enter the 6-digit code') },
    async send({ code }) {
      const answer = await callApi('POST /auth/totp/confirm', { body: { code } });
      // The app may be set up already: by an attempt whose answer was lost, or in another tab.
      if (!answer.ok) {
        announceSessionChange();
        await refetch();
      }
      return answer;
    },
    onSent: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  return (
    <div className="security-enroll">
      <svg
        className="security-qr"
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        role="img"
        aria-label="QR code for your authenticator app"
        shapeRendering="crispEdges"
      >
        <rect className="security-qr__ground" width={qr.size} height={qr.size} />
        <path className="security-qr__modules" d={qr.path} />
      </svg>
      <form className="form" method="post" aria-label="Set up app" {...form}>
        <p>
          Scan the code with your app, or <a href={uri}>open it on this device</a>. If you can’t scan it,
          enter this key:
        </p>
        <p>
          <code className="security-secret">{secret.match(/.{1,4}/g)?.join(' ')}</code>
        </p>
        <Field
          {...field('code')}
          label="6-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
        />
        <FormProblem problem={problem} />
        <p>
          <button className="button" type="submit" aria-disabled={sending}>
            {sending ? 'One moment' : 'Finish setup'}
          </button>
        </p>
      </form>
    </div>
  );
}
