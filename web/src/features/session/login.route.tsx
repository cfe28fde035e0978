import { Link, Navigate, useLocation } from 'react-router-dom';
import { signIn, useSession } from '../../lib/session.js';
import { CredentialsForm } from './CredentialsForm.js';
import { useOrigin } from './origin.js';

export function Component() {
  const session = useSession();
  const origin = useOrigin('/dashboard');
  const { state } = useLocation();
  if (session.status === 'signed-in') return <Navigate to={origin} replace />;
  return (
    <CredentialsForm
      title="Login"
      action="Login"
      waiting="Signing in"
      passwordAutoComplete="current-password"
      send={signIn}
    >
      <p className="session__links">
        <Link to="/reset">Forgot password?</Link>
        <Link to="/register" state={state as unknown} replace>
          Create an account
        </Link>
      </p>
    </CredentialsForm>
  );
}
