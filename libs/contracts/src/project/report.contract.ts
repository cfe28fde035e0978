import { z } from 'zod';
import { created, deleted } from '../answers.js';
import { grouped, relay, relayedIn } from '../operation.js';
import { signedInOnly, openToAll } from '../policy.js';
import { optionalText } from '../text.js';
import { reportLinkLimits } from './project-limits.js';

/** YYYY-MM, in UTC. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month like 2026-11');

/** For the customer and anyone with a link: without the thread, prices, e-mail addresses and the content of files. */
export const projectReport = z.object({
  title: z.string(),
  number: z.int(),
  customerName: z.string(),
  month: z.string(),
  /** Months with something to report, newest first; at most 24. */
  months: z.array(z.string()),
  delivered: z.array(
    z.object({
      text: z.string(),
      deliveredAt: z.string(),
      state: z.enum(['delivered', 'accepted', 'changes_requested']),
      acceptedAt: z.string().nullable(),
      files: z.array(z.string()).describe('Names only.'),
      links: z.array(z.string()),
    }),
  ),
});
export type ProjectReport = z.infer<typeof projectReport>;

const reportLink = z.object({
  _id: z.string(),
  /** For whom it was made; may be empty. */
  label: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** When it was last opened. */
  openedAt: z.string().nullable(),
});
export type ReportLink = z.infer<typeof reportLink>;

const monthQuery = z.object({
  month: month
    .optional()
    .describe(
      'Default: the newest month in which something was handed over, or the current month if there is none.',
    ),
});
const report = projectReport.meta({ id: 'ProjectReport' });

export const reportOperations = grouped('Projects', {
  getProjectReport: relay({
    at: 'GET /project/:id/report',
    pattern: 'projects.report',
    summary: 'What was done in a month',
    policy: signedInOnly,
    query: monthQuery,
    answer: report,
  }),
  listReportLinks: relay({
    at: 'GET /project/:id/report-links',
    pattern: 'projects.reportLinks',
    summary: 'The links with which others can read the report',
    policy: signedInOnly,
    answer: z.array(reportLink.meta({ id: 'ReportLink' })),
  }),
  /** The token is in this answer only. Throws COLLECTION_FULL if the project has 20 links; expired links count, revoked ones do not. */
  createReportLink: relay({
    at: 'POST /project/:id/report-links',
    pattern: 'projects.createReportLink',
    summary: 'Make a link with which anyone can read the report, without an account, until it expires',
    policy: { ...signedInOnly, idempotent: true },
    body: z
      .strictObject({
        label: optionalText(100),
        days: z.int().min(1).max(reportLinkLimits.days),
      })
      .meta({ id: 'ReportLinkCreate' }),
    answer: created(reportLink.extend({ token: z.string() })),
    failures: ['COLLECTION_FULL'],
  }),
  deleteReportLink: relay({
    at: 'DELETE /project/:id/report-links/:link',
    pattern: 'projects.deleteReportLink',
    summary: 'Revoke a link; it stops working at once',
    policy: signedInOnly,
    answer: deleted,
  }),
  /** Also records when the link was opened, although it is a query: repeating it is harmless. */
  readSharedReport: relay({
    at: 'POST /shared-report/read',
    pattern: 'projects.sharedReport',
    kind: 'query',
    summary: 'What was done in a month, for anyone with the token of a link',
    policy: { ...openToAll, limit: 'signIn' },
    body: z
      .strictObject({
        token: z.string().regex(/^[\w-]{43}$/, 'is not a link of a report'),
        month: month.optional(),
      })
      .meta({ id: 'SharedReportToken' }),
    secret: ['token'],
    answer: report,
    failures: ['LINK_EXPIRED'],
  }),
});

export const reportContract = relayedIn(reportOperations);
