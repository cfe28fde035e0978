import { Link, Navigate, useLocation } from 'react-router-dom';
import { signIn, useSession } from '../../lib/session.js';
import { CredentialsForm } from './CredentialsForm.js';
import { useOrigin } from './origin.js';

export function Component() {
  const session = useSession();
  const origin = useOrigin('/dashboard');
  const { state } = useLocation();
  // Signing in changes the session, and so leads on by the same way as arriving signed in.
  if (session.status === 'signed-in') return <Navigate to={origin} replace />;
  return (
    <CredentialsForm
      title="Login"
      action="Login"
      passwordAutoComplete="current-password"
      send={signIn}
      sent={() => undefined}
    >
      <p className="session__links">
        <Link to="/reset">Forgot password?</Link>
        <Link to="/register" state={state as unknown}>
          Create an account
        </Link>
      </p>
    </CredentialsForm>
  );
}
