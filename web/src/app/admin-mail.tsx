import { Link } from 'react-router-dom';
import { AdminScreen } from '../features/admin/AdminScreen.js';
import { SentMail } from '../features/admin-mail/SentMail.js';

/* Mail in the frame of the admin area. */

export function Component() {
  return (
    <AdminScreen
      title="Sent Mail"
      lead={
        <>
          What the site sent by itself, and what became of it.{' '}
          <Link to="/setting/mailText">Word these mails</Link>, or switch some off.
        </>
      }
    >
      {() => <SentMail />}
    </AdminScreen>
  );
}
