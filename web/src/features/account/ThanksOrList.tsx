import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Waiting } from '../../components/Waiting.js';
import { useSession } from '../../lib/session.js';
import { useTabTitle } from '../../lib/tab-title.js';

/**
 * The contact form and the newsletter form each lead to a list for admins. Anyone else who comes straight from the form sees a thank-you message
 * instead of the sign-in or a refusal.
 */
export function ThanksOrList({ children }: { children: ReactNode }) {
  const session = useSession();
  const cameFromForm = Boolean((useLocation().state as { justSent?: boolean } | null)?.justSent);
  if (session.status === 'unknown') return <Waiting />;
  const seesList = session.status === 'signed-in' && session.account.role === 'Admin';
  return cameFromForm && !seesList ? <Thanks /> : children;
}

function Thanks() {
  useTabTitle('Thank you');
  const isNewsletter = useLocation().pathname.startsWith('/all-subscriber');
  return (
    <section className="screen wrap">
      <h1>Thank you</h1>
      <p className="lead">
        {isNewsletter
          ? 'Check your inbox and click the link to confirm. The e-mail can take a few minutes to arrive.'
          : 'Thanks, we’ve received your message.'}
      </p>
      <p>
        <Link className="button" to="/">
          Go to the home page
        </Link>
      </p>
    </section>
  );
}
