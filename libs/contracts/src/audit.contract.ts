import { z } from 'zod';
import { query, type ServiceName } from './contract.js';
import { searchText } from './paging.js';
import { isStorable } from './text.js';

/** `moved`: the order of a collection was changed. */
export const auditChange = z.enum(['created', 'updated', 'deleted', 'restored', 'moved']);
export type AuditChange = z.infer<typeof auditChange>;

/** One change that an admin made. */
export const auditEntry = z.object({
  /** A UUIDv7: of two entries, of whatever service, the greater id is the later one. */
  _id: z.string(),
  at: z.string(),
  actorId: z.string(),
  /** The admin's address at that time. */
  actorEmail: z.string(),
  /** The kind of record: the name of a content section, or of another kind such as `order` or `campaign`. */
  section: z.string(),
  /** Of the record; of the section's name where its order was changed. */
  recordId: z.string(),
  /** What the record goes by, for people. */
  name: z.string(),
  change: auditChange,
  /** What was changed, as it was; null for what is new. */
  before: z.record(z.string(), z.unknown()).nullable(),
  /** And as it is; null for what is gone. */
  after: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditFilter = z.object({
  /** The admin's whole address, in any letter case. */
  actor: z.string().trim().toLowerCase().max(254).refine(isStorable, 'must be an e-mail address').optional(),
  section: z
    .string()
    .regex(/^\w{0,60}$/, 'is not a section')
    .optional(),
  /** First and last moment, ISO 8601. */
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** In names, and in what was and what is. */
  search: searchText.optional(),
});

/** Entries older than that of this id. */
const auditCursor = z.uuid({ error: 'is not a cursor of this list' });

export const auditRequest = auditFilter.extend({
  cursor: auditCursor.optional(),
  limit: z.int().min(1).max(100).default(25),
});
export type AuditRequest = z.output<typeof auditRequest>;

/** Newest first; at most `limit` of them and one more, which tells whether there are older ones. */
const auditEntries = z.array(auditEntry);

function listAudit<S extends ServiceName>(service: S) {
  return query({
    pattern: `${service}.audit`,
    access: 'admin',
    input: auditRequest,
    output: auditEntries,
  });
}

/** Each service keeps the changes of its own records; the gateway puts them together. */
export const auditContracts = {
  content: listAudit('content'),
  orders: listAudit('orders'),
  messaging: listAudit('messaging'),
  identity: listAudit('identity'),
} as const;
