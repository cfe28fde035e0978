import { z } from 'zod';
import { mail, mailContract as contract, mailFilter, mailStatus } from '#libs/contracts';
import { created } from './acknowledged.js';
import { csvExport } from './csv.js';
import { pagePart, pageQuery } from './inputs.js';
import { grouped, list, operation, output, relay } from './operation.js';
import { adminsOnce, adminsOnly, type Policy } from './policy.js';

const listQuery = pageQuery.extend(mailFilter.shape);
/** Messaging verifies who sent a report, so the whole body travels there. */
const rawBody = { maxBytes: 64 * 1024 };
const mailServers: Policy = { access: 'public', session: 'ignored', limit: 'mailReports' };

export const mailOperations = grouped('Mail', {
  reportBounce: operation({
    at: 'POST /mail/bounces',
    id: 'reportBounce',
    summary:
      'Report a failed delivery (RFC 3464), from a mail server that sends the token from the settings as Bearer',
    policy: mailServers,
    rawBody,
    answer: z.object({ bounced: z.boolean() }).meta({ id: 'BounceReported' }),
    failures: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  reportEvents: operation({
    at: 'POST /mail/events',
    id: 'reportMailEvents',
    summary:
      'Report bounces and complaints, from a mail provider, as JSON signed with the secret from the settings: Mail-Signature: t=<seconds>,v1=<HMAC-SHA256 of "t.body">',
    policy: mailServers,
    rawBody,
    answer: z.object({ applied: z.int() }).meta({ id: 'MailEventsReported' }),
    failures: ['INVALID_INPUT', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  list: relay({
    at: 'GET /mails',
    id: 'listMails',
    summary: 'Mails that were sent or are queued, newest first, with the mail server’s answer',
    policy: adminsOnly,
    query: listQuery,
    to: list(contract.list, mail.meta({ id: 'Mail' })),
  }),
  status: relay({
    at: 'GET /mail-status',
    id: 'getMailStatus',
    summary: 'Whether mail is being sent, and how much is queued',
    policy: adminsOnly,
    to: output(contract.status, mailStatus.meta({ id: 'MailStatus' })),
  }),
  resend: relay({
    at: 'POST /mail/:id/resend',
    id: 'resendMail',
    summary:
      'Send a mail again, as a new one; not while it is being sent, and not one with a one-time link or of a campaign',
    policy: adminsOnce,
    failures: ['NOT_FOUND', 'INVALID_TRANSITION'],
    to: created(contract.resend),
  }),
  export: csvExport({
    at: 'GET /mails/export',
    id: 'exportMails',
    summary: 'All mails that pass the filter, as a CSV file',
    query: listQuery.omit(pagePart),
  }),
});
