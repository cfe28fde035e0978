import { useEffect, useRef } from 'react';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { saveFile } from '../../workspace/download.js';
import { useSave } from '../../workspace/query.js';

interface RecoveryCodesProps {
  codesLeft: number;
  /** New codes replace all earlier ones. */
  onRenewed(codes: string[]): void;
}

export function RecoveryCodes({ codesLeft, onRenewed }: RecoveryCodesProps) {
  const { save: renew, problem } = useSave(async () => {
    const answer = await callApi('POST /auth/recovery-codes');
    if (!answer.ok) return answer.problem;
    onRenewed(answer.value.recoveryCodes);
    return undefined;
  });
  return (
    <section className="panel" aria-labelledby="codes-title">
      <h2 id="codes-title">Recovery codes</h2>
      <p>
        {codesLeft === 0
          ? 'You’ve used all your codes. Replace them so that you can sign in if you lose your device.'
          : `${codesLeft} of 10 codes left. Use a code to sign in if you lose your device. Each code works once.`}
      </p>
      <FormProblem problem={problem} />
      <p>
        <button className="button button--quiet" type="button" onClick={() => void renew()}>
          Replace all codes
        </button>
      </p>
    </section>
  );
}

interface NewRecoveryCodesProps {
  codes: string[];
  email: string;
  close(): void;
}

/** Shown once: the site stores only hashes of the codes. Takes the focus, because it may appear outside of the window. */
export function NewRecoveryCodes({ codes, email, close }: NewRecoveryCodesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [codes]);
  function download(): void {
    const text = `Recovery codes for ${email} at ${window.location.host}\nEach code works once.\n\n${codes.join('\n')}\n`;
    saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt');
  }
  return (
    <section className="panel" aria-labelledby="new-codes-title">
      <h2 id="new-codes-title" ref={heading} tabIndex={-1}>
        Save your recovery codes
      </h2>
      <p>
        These codes replace any earlier ones. We show them only once. Keep them somewhere safe, away from your
        phone.
      </p>
      <ul className="security-codes__list">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className="buttons">
        <button className="button" type="button" onClick={download}>
          Download codes
        </button>
        <button className="button button--quiet" type="button" onClick={close}>
          I’ve saved these codes
        </button>
      </p>
    </section>
  );
}
