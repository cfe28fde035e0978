import { z } from 'zod';
import { query, type ServiceName } from './contract.js';
import { moment, pageQuery, wholeNumberParam } from './inputs.js';
import { csvExport, grouped, operation } from './operation.js';
import { searchText } from './paging.js';
import { adminsOnly } from './policy.js';
import { isStorable } from './text.js';

/** `moved`: the order of a collection was changed. */
export const auditChange = z.enum(['created', 'updated', 'deleted', 'restored', 'moved']);
export type AuditChange = z.infer<typeof auditChange>;

/** One change that an admin made. */
const auditEntry = z.object({
  /** A UUIDv7: of two entries, even of different services, the greater id is the later one, as far as the clocks of the machines agree. */
  _id: z.string(),
  at: z.string(),
  actorId: z.string(),
  /** The admin's address at that time. */
  actorEmail: z.string(),
  /** The kind of record: the name of a content section, or of another kind such as `order` or `campaign`. */
  section: z.string(),
  /** The id of the record; a fixed name for what exists once, such as settings. */
  recordId: z.string(),
  /** The name of the record, for people. */
  name: z.string(),
  change: auditChange,
  /** The changed values before; null for a new or restored record. */
  before: z.record(z.string(), z.unknown()).nullable(),
  /** The changed values after; null for a deleted record. */
  after: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const auditFilter = z.object({
  /** The admin's whole address, in any letter case. */
  actor: z.string().trim().toLowerCase().max(254).refine(isStorable, 'must be an e-mail address').optional(),
  section: z
    .string()
    .regex(/^\w{0,60}$/, 'is not a section')
    .optional(),
  /** First and last time, ISO 8601. */
  from: moment.optional(),
  to: moment.optional(),
  /** Searches names and values. */
  search: searchText.optional(),
});

/** The most entries of one page. */
export const auditPageLimit = 100;

const auditRequest = auditFilter.extend({
  /** Entries older than the one with this id. */
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

/** Newest first: at most `limit` entries, and one more if there are older ones. */
const listAudit = (service: ServiceName) =>
  query({ pattern: `${service}.audit`, access: 'admin', input: auditRequest, output: z.array(auditEntry) });

/** Each service keeps the log of its own records; the gateway merges them. */
export const auditContracts = {
  content: listAudit('content'),
  orders: listAudit('orders'),
  projects: listAudit('projects'),
  messaging: listAudit('messaging'),
  identity: listAudit('identity'),
} as const;
