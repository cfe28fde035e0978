import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { callApi } from '../../lib/api.js';
import { startSession, useSession } from '../../lib/session.js';
import { CredentialsForm } from './CredentialsForm.js';
import { OtherSignIns } from './OtherSignIns.js';
import { useReturnPath } from './return-path.js';

export function Component() {
  const session = useSession();
  const [registering, setRegistering] = useState(false);
  // Without a path to return to, a new account goes to the home page, as the specification says, and a person who was already signed in goes to the
  // dashboard.
  const returnPath = useReturnPath(registering ? '/' : '/dashboard');
  const googleReturnPath = useReturnPath('/');
  const { state } = useLocation();
  if (session.status === 'signed-in') return <Navigate to={returnPath} replace />;
  return (
    <CredentialsForm
      title="Welcome! Register to continue"
      actionLabel="Register"
      waitingText="Creating your account"
      registers
      send={(body) => {
        setRegistering(true);
        return startSession(callApi('POST /auth/register', { body }));
      }}
    >
      <OtherSignIns returnPath={googleReturnPath} />
      <p className="session__links">
        <span>
          Already registered?{' '}
          <Link to="/login" state={state as unknown} replace>
            Login
          </Link>
        </span>
      </p>
    </CredentialsForm>
  );
}
