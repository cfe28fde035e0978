import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi, type Problem } from '../../lib/api.js';
import { startSession, useSession } from '../../lib/session.js';
import { CredentialsForm } from './CredentialsForm.js';
import { OtherSignIns } from './OtherSignIns.js';
import { PasskeySignIn } from './PasskeySignIn.js';
import { SecondStep } from './SecondStep.js';
import { useGoogleReturn, useReturnPath } from './return-path.js';

export function Component() {
  const session = useSession();
  const returnPath = useReturnPath('/dashboard');
  const { failure, secondFactor: secondFactorAfterGoogle, forgetResult } = useGoogleReturn();
  const { state } = useLocation();
  const [secondFactorAfterPassword, setSecondFactorAfterPassword] = useState<Problem['secondFactor']>();
  const [wasSignedOut, setWasSignedOut] = useState(false);
  if (session.status === 'signed-out' && !wasSignedOut) setWasSignedOut(true);
  if (session.status === 'signed-in') {
    // A person who was signed in all along went to Google only to confirm that it is them.
    return failure && !wasSignedOut ? (
      <NotConfirmed sentence={failure} />
    ) : (
      <Navigate to={returnPath} replace />
    );
  }
  const secondFactor = secondFactorAfterPassword ?? secondFactorAfterGoogle;
  if (secondFactor) {
    const restart = () => {
      setSecondFactorAfterPassword(undefined);
      forgetResult();
    };
    return <SecondStep methods={secondFactor.methods} restart={restart} />;
  }
  return (
    <CredentialsForm
      title="Login"
      actionLabel="Login"
      waitingText="Signing in"
      send={async (body) => {
        const answer = await startSession(callApi('POST /auth/login', { body }));
        if (!answer.ok) setSecondFactorAfterPassword(answer.problem.secondFactor);
        return answer;
      }}
      googleFailure={failure}
      offersPasskeys
    >
      <OtherSignIns returnPath={returnPath}>
        <PasskeySignIn />
      </OtherSignIns>
      <p className="session__links">
        <Link to="/reset">Forgot password?</Link>
        <Link to="/register" state={state as unknown} replace>
          Create an account
        </Link>
      </p>
    </CredentialsForm>
  );
}

function NotConfirmed({ sentence }: { sentence: string }) {
  return (
    <section className="screen wrap">
      <h1>We couldn’t confirm it’s you</h1>
      <FormProblem problem={{ status: 0, sentence, fields: [] }} />
      <p>
        <Link className="button" to="/dashboard">
          Go to your dashboard
        </Link>
      </p>
    </section>
  );
}
