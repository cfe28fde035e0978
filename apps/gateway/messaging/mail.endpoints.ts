import { z } from 'zod';
import { mail, mailFilter, mailStatus } from '#libs/contracts';
import { adminsOnce, adminsOnly } from '../policy/policy.js';
import { acknowledgedCreate } from '../routing/acknowledged.js';
import type { Endpoint } from '../routing/endpoint.js';
import { pageQuery } from '../routing/listing.js';

const group = 'Mail';
/** Of reports: whoever sends one is known by what only messaging can check, so all of it travels there. */
const rawBody = { maxBytes: 64 * 1024 };

export const listMailsEndpoint: Endpoint = {
  method: 'GET',
  path: '/mails',
  policy: adminsOnly,
  operationId: 'listMails',
  summary: 'Mails that went out or are to, newest first, with what the mail server said',
  group,
  query: pageQuery.extend(mailFilter.shape),
  status: 200,
  answer: z.array(mail.meta({ id: 'Mail' })),
  failures: ['INVALID_INPUT'],
  paged: true,
};

export const mailStatusEndpoint: Endpoint = {
  method: 'GET',
  path: '/mail-status',
  policy: adminsOnly,
  operationId: 'getMailStatus',
  summary: 'Whether mail goes out, and how much waits',
  group,
  status: 200,
  answer: mailStatus.meta({ id: 'MailStatus' }),
  failures: [],
};

export const resendMailEndpoint: Endpoint = {
  method: 'POST',
  path: '/mail/:id/resend',
  policy: adminsOnce,
  operationId: 'resendMail',
  summary:
    'Send a mail once more, as a new one; not one that is under way, held a link that worked once or is of a campaign',
  group,
  status: 201,
  answer: acknowledgedCreate(mail),
  failures: ['NOT_FOUND', 'INVALID_TRANSITION', 'IDEMPOTENCY_KEY_REUSED'],
};

export const reportBounceEndpoint: Endpoint = {
  method: 'POST',
  path: '/mail/bounces',
  policy: { access: 'public', session: 'ignored', limit: 'mailReports' },
  operationId: 'reportBounce',
  summary:
    'A mail server hands on a report of a failed delivery (RFC 3464), with the token of the settings as Bearer',
  group,
  rawBody,
  status: 200,
  answer: z.object({ bounced: z.boolean() }).meta({ id: 'BounceReported' }),
  failures: ['FORBIDDEN', 'NOT_FOUND'],
};

export const reportMailEventsEndpoint: Endpoint = {
  method: 'POST',
  path: '/mail/events',
  policy: { access: 'public', session: 'ignored', limit: 'mailReports' },
  operationId: 'reportMailEvents',
  summary:
    'A provider tells of bounces and complaints, as JSON signed with the secret of the settings: Mail-Signature: t=<seconds>,v1=<HMAC-SHA256 of "t.body">',
  group,
  rawBody,
  status: 200,
  answer: z.object({ applied: z.int() }).meta({ id: 'MailEventsReported' }),
  failures: ['INVALID_INPUT', 'FORBIDDEN', 'NOT_FOUND'],
};

export const mailEndpoints: readonly Endpoint[] = [
  reportBounceEndpoint,
  reportMailEventsEndpoint,
  listMailsEndpoint,
  mailStatusEndpoint,
  resendMailEndpoint,
];
