import { Link } from 'react-router-dom';
import { SentMail } from '../features/admin-mail/SentMail.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen
      lead={
        <>
          E-mails sent by the site, and whether they arrived.{' '}
          <Link to="/setting/mailText">Edit or turn off e-mails</Link>.
        </>
      }
    >
      <SentMail />
    </AdminScreen>
  );
}
