import { Link, useLocation, useNavigate } from 'react-router-dom';
import { signUp } from '../../lib/session.js';
import { CredentialsForm } from './CredentialsForm.js';
import { useOrigin } from './origin.js';

export function Component() {
  const navigate = useNavigate();
  const origin = useOrigin('/');
  const { state } = useLocation();
  return (
    <CredentialsForm
      title="Welcome! Register to continue"
      action="Register"
      passwordAutoComplete="new-password"
      send={signUp}
      sent={() => void navigate(origin, { replace: true })}
    >
      <p className="session__links">
        <span>
          Already registered?{' '}
          <Link to="/login" state={state as unknown}>
            Login
          </Link>
        </span>
      </p>
    </CredentialsForm>
  );
}
