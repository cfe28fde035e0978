import { z } from 'zod';
import { query, type ServiceName } from './contract.js';
import { moment, pageQuery, wholeNumberParam } from './inputs.js';
import { csvExport, grouped, operation } from './operation.js';
import { searchText } from './paging.js';
import { adminsOnly } from './policy.js';
import { isStorable } from './text.js';

/** `moved`: a record got another place in its collection. */
export const auditChange = z.enum(['created', 'updated', 'deleted', 'restored', 'moved']);
export type AuditChange = z.infer<typeof auditChange>;

const auditEntry = z.object({
  /** A UUIDv7. The greater of two ids is the later entry, even across services, as far as their clocks agree. */
  _id: z.string(),
  at: z.string(),
  actorId: z.string(),
  /** At the time of the change. */
  actorEmail: z.string(),
  /** The name of a content section, or another kind of record, e.g. `order`. */
  section: z.string(),
  /** The record's id; a fixed name for what exists once, such as settings; for a new price of monthly plans, the package's name. */
  recordId: z.string(),
  name: z.string(),
  change: auditChange,
  /** The old values of the changed fields; null for a new or restored record. */
  before: z.record(z.string(), z.unknown()).nullable(),
  /** Their new values; null for a deleted record. */
  after: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const auditFilter = z.object({
  /** A whole address, in any letter case. */
  actor: z.string().trim().toLowerCase().max(254).refine(isStorable, 'must be an e-mail address').optional(),
  section: z
    .string()
    .regex(/^\w{0,60}$/, 'is not a section')
    .optional(),
  /** ISO 8601, both inclusive. */
  from: moment.optional(),
  to: moment.optional(),
  /** In names, and in the changed fields and their values. */
  search: searchText.optional(),
});

export const auditPageLimit = 100;

const auditRequest = auditFilter.extend({
  /** The id of an entry; only older ones are listed. */
  cursor: z.uuid({ error: 'is not a cursor of this list' }).optional(),
  limit: z.int().min(1).max(auditPageLimit).default(25),
});
export type AuditRequest = z.output<typeof auditRequest>;

export const auditOperations = grouped('Audit log', {
  listAuditEntries: operation({
    at: 'GET /audit',
    summary: 'Changes that admins made, newest first; `Link` leads to older entries',
    policy: adminsOnly,
    query: auditFilter.extend({
      limit: wholeNumberParam(auditPageLimit)
        .optional()
        .describe('How many entries per page; 25 by default.'),
      cursor: pageQuery.shape.cursor,
    }),
    answer: z.array(auditEntry.meta({ id: 'AuditEntry' })),
  }),
  exportAuditEntries: csvExport({
    at: 'GET /audit/export',
    summary: 'All entries that pass the filter, as a CSV file',
    query: auditFilter,
  }),
});

/** Newest first: up to `limit` entries, plus one more that shows whether there are older ones. */
const auditContractOf = (service: ServiceName) =>
  query({ pattern: `${service}.audit`, access: 'admin', input: auditRequest, output: z.array(auditEntry) });

export const auditContracts = {
  content: auditContractOf('content'),
  orders: auditContractOf('orders'),
  projects: auditContractOf('projects'),
  messaging: auditContractOf('messaging'),
  identity: auditContractOf('identity'),
} as const;
