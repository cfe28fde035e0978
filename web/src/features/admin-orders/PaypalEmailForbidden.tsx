import { Link, useLocation } from 'react-router-dom';

/** What everyone but admins sees instead of the form, because the specification opens this screen to all. */
export function PaypalEmailForbidden({ signedIn }: { signedIn: boolean }) {
  const { pathname } = useLocation();
  return (
    <section className="screen wrap">
      <h1>PayPal e-mail</h1>
      <p className="lead">
        {signedIn
          ? "You don't have any permission to change where payments go. Only admins can."
          : 'Admins choose which PayPal account receives payments. Sign in as an admin to change it.'}
      </p>
      <p className="buttons">
        {signedIn ? (
          <Link className="button" to="/dashboard">
            Go to your dashboard
          </Link>
        ) : (
          <Link className="button" to="/login" state={{ from: pathname }}>
            Login
          </Link>
        )}
      </p>
    </section>
  );
}
