import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { callApi } from '../../lib/api.js';
import { enter, useSession } from '../../lib/session.js';
import { CredentialsForm } from './CredentialsForm.js';
import { JoinWithGoogle } from './JoinWithGoogle.js';
import { useOrigin } from './origin.js';

export function Component() {
  const session = useSession();
  const [registering, setRegistering] = useState(false);
  // Who has just registered goes home, as the specification has it; who comes here signed in is expected at the dashboard.
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
        return enter(callApi('POST /auth/register', { body }));
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
