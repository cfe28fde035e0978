import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { callApi } from '../../lib/api.js';
import { startSession, useSession } from '../../lib/session.js';
import { CredentialsForm } from './CredentialsForm.js';
import { JoinWithGoogle } from './JoinWithGoogle.js';
import { useOrigin } from './origin.js';

export function Component() {
  const session = useSession();
  const [registering, setRegistering] = useState(false);
  // After registering, people go to the home page, as documented; people who are already signed in go to the
  // dashboard.
  const origin = useOrigin(registering ? '/' : '/dashboard');
  const afterGoogle = useOrigin('/');
  const { state } = useLocation();
  if (session.status === 'signed-in') return <Navigate to={origin} replace />;
  return (
    <CredentialsForm
      title="Welcome! Register to continue"
      action="Register"
      waiting="Creating your account"
      registers
      send={(body) => {
        setRegistering(true);
        return startSession(callApi('POST /auth/register', { body }));
      }}
    >
      <JoinWithGoogle origin={afterGoogle} />
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
