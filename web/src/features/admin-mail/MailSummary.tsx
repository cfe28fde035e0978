import type { MailStatus } from '#libs/contracts';
import { Failure } from '../../workspace/Failure.js';
import { formatNumber } from '../../workspace/formats.js';
import { useQuery } from '../../workspace/query.js';
import { Status } from '../../workspace/Status.js';

export function MailSummary() {
  const status = useQuery('GET /mail-status');
  if (status.problem) return <Failure query={status} />;
  return (
    <p className="mail-summary" role="status">
      {status.data && <Summary {...status.data} />}
    </p>
  );
}

function Summary({ on, from, waiting, failed }: MailStatus) {
  const figures = [
    waiting > 0 && `${formatNumber(waiting)} waiting`,
    failed > 0 && `${formatNumber(failed)} failed in the last 7 days`,
  ].filter(Boolean);
  return (
    <>
      <Status tone={on ? 'good' : 'fault'}>{on ? 'E-mail is on' : 'E-mail is off'}</Status>{' '}
      <span className="mail-summary__text">
        {on
          ? `From ${from}. To change the sender, ask your server’s administrator to set MAIL_FROM.`
          : 'Ask your server’s administrator to set SMTP_URL to a mail server and MAIL_FROM to the sender. Until then, e-mails wait.'}{' '}
        {figures.length > 0 && `${figures.join(', ')}.`}
      </span>
    </>
  );
}
