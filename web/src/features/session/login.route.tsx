import { Link, Navigate, useLocation } from 'react-router-dom';
import { signIn, useSession } from '../../lib/session.js';
import { CredentialsForm } from './CredentialsForm.js';
import { JoinWithGoogle } from './JoinWithGoogle.js';
import { useGoogleProblem, useOrigin } from './origin.js';

export function Component() {
  const session = useSession();
  const origin = useOrigin('/dashboard');
  const problem = useGoogleProblem();
  const { state } = useLocation();
  if (session.status === 'signed-in') return <Navigate to={origin} replace />;
  return (
    <CredentialsForm
      title="Login"
      action="Login"
      waiting="Signing in"
      passwordAutoComplete="current-password"
      send={signIn}
      arrivedWith={problem}
    >
      <JoinWithGoogle origin={origin} />
      <p className="session__links">
        <Link to="/reset">Forgot password?</Link>
        <Link to="/register" state={state as unknown} replace>
          Create an account
        </Link>
      </p>
    </CredentialsForm>
  );
}
