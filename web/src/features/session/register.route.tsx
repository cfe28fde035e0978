import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { callApi } from '../../lib/api.js';
import { startSession, useSession } from '../../lib/session.js';
import { CredentialsForm } from './CredentialsForm.js';
import { JoinWithGoogle } from './JoinWithGoogle.js';
import { useReturnPath } from './return-path.js';

export function Component() {
  const session = useSession();
  const [registering, setRegistering] = useState(false);
  // After registering, people go to the home page, as documented; if they were already signed in, to the dashboard.
  const returnPath = useReturnPath(registering ? '/' : '/dashboard');
  const afterGoogle = useReturnPath('/');
  const { state } = useLocation();
  if (session.status === 'signed-in') return <Navigate to={returnPath} replace />;
  return (
    <CredentialsForm
      title="Welcome! Register to continue"
      action="Register"
      waitingText="Creating your account"
      registers
      send={(body) => {
        setRegistering(true);
        return startSession(callApi('POST /auth/register', { body }));
      }}
    >
      <JoinWithGoogle returnPath={afterGoogle} />
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
