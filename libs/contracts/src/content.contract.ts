import { z } from 'zod';
import { recordMeta } from './answers.js';
import { command, event, query } from './contract.js';
import { grouped, operation, relay, relayedIn } from './operation.js';
import { adminsOnly, openToAll } from './policy.js';

/** Untyped here: the gateway and the content service validate records against `libs/content-model`. */
const contentRecord = z
  .object({
    _id: z.string(),
    ...recordMeta,
  })
  .catchall(z.unknown());
export type ContentRecord = z.infer<typeof contentRecord>;

const body = z.record(z.string(), z.unknown());
const section = z.string();

/** As `before` in `moveRecord`: moves the record to the end. */
export const atTheEnd = 'end';

/** The site's content at one moment. Each section has its records in order: oldest first, unless an admin changed it. */
export const siteContent = z.object({
  /** Grows by one with each content change anywhere on the site, in commit order. */
  version: z.int(),
  sections: z.record(z.string(), z.array(contentRecord)),
  /** Alternative texts by picture id, for those pictures in `sections` that have one. */
  imageTexts: z.record(z.string(), z.string()).default({}),
});

/** Gateways keep only the public `sections`. */
const siteContentSnapshot = siteContent.extend({
  /** The time of the last deletion in each section that had one. */
  removedAt: z.record(z.string(), z.string()).default({}),
});
export type SiteContentSnapshot = z.infer<typeof siteContentSnapshot>;

const historyEntry = z.object({
  version: z.int(),
  change: z.enum(['created', 'updated', 'deleted', 'restored']),
  changedAt: z.string(),
  /** The account's id; null for the seed. */
  changedBy: z.string().nullable(),
  /** The account's address at that time; null for the seed, and for old entries. */
  changedByEmail: z.string().nullable(),
  body,
});
export type HistoryEntry = z.infer<typeof historyEntry>;

const contentRecordAnswer = contentRecord.meta({ id: 'ContentRecord' });
const contentWrite = { policy: adminsOnly, invalidates: 'cachedContent' } as const;

export const contentOperations = grouped('Content: the whole site', {
  getSiteContent: operation({
    at: 'GET /site-content',
    summary: 'Everything that the public site shows, in one answer',
    policy: openToAll,
    revalidates: true,
    writesReply: true,
    answer: siteContent.meta({ id: 'SiteContent' }),
  }),
  listHistory: relay({
    at: 'GET /history/:section/:id',
    pattern: 'content.history',
    summary: 'The versions of a content record, newest first, at most 100',
    policy: adminsOnly,
    answer: z.array(historyEntry.meta({ id: 'HistoryEntry' })),
  }),
  /** Changes nothing if the record exists. Throws INVALID_INPUT if the record shows an uploaded picture that was deleted. */
  restoreRecord: relay({
    at: 'POST /restore/:section/:id',
    pattern: 'content.restore',
    summary: 'Bring back a record that was deleted within the last hour, with its former id and place',
    ...contentWrite,
    answer: contentRecordAnswer,
    failures: ['INVALID_INPUT', 'SINGLETON_EXISTS', 'COLLECTION_FULL', 'DUPLICATE'],
  }),
  /** Throws INVALID_INPUT unless `before` is another record of the section, or `atTheEnd`. */
  moveRecord: relay({
    at: 'PUT /record-place/:section/:id',
    pattern: 'content.move',
    summary:
      'Move a record before another one of its section, or to the end; returns all records in their order',
    ...contentWrite,
    body: z
      .strictObject({
        before: z
          .string()
          .regex(/^([\dA-Fa-f-]{36}|end)$/, 'must be the id of a record, or `end`')
          .describe('Id of the other record, or `end`.')
          .transform((before) => before.toLowerCase()),
      })
      .meta({ id: 'RecordPlace' }),
    answer: z.array(contentRecordAnswer),
  }),
});

export const contentContract = {
  ...relayedIn(contentOperations),
  /** Includes the sections that only admins may read. */
  snapshot: query({
    pattern: 'content.snapshot',
    access: 'system',
    callableBy: ['orders', 'projects', 'messaging'],
    input: z.object({}),
    output: siteContentSnapshot,
  }),
  version: query({
    pattern: 'content.version',
    access: 'public',
    callableBy: ['orders', 'projects', 'messaging'],
    input: z.object({}),
    output: z.object({ version: z.int() }),
  }),
  /** Throws NOT_FOUND for an unknown section; UNAUTHENTICATED, FORBIDDEN for a section that only admins may read. */
  list: query({
    pattern: 'content.list',
    access: 'public',
    callableBy: ['identity'],
    input: z.object({ section }),
    output: z.array(contentRecord),
  }),
  /** Throws NOT_FOUND, also for a malformed id; UNAUTHENTICATED, FORBIDDEN as for `list`. */
  get: query({
    pattern: 'content.item',
    access: 'public',
    input: z.object({ section, id: z.string() }),
    output: contentRecord,
  }),
  /** Throws NOT_FOUND for an unknown section; INVALID_INPUT, SINGLETON_EXISTS, DUPLICATE, COLLECTION_FULL. */
  create: command({
    pattern: 'content.create',
    access: 'admin',
    input: z.object({ section, body }),
    output: contentRecord,
  }),
  /** Throws INVALID_INPUT, NOT_FOUND, DUPLICATE, VERSION_MISMATCH (with the current record). */
  update: command({
    pattern: 'content.update',
    access: 'admin',
    input: z.object({ section, id: z.string(), body, ifVersion: z.int().optional() }),
    output: z.object({ record: contentRecord, modified: z.boolean() }),
  }),
  /** Throws NOT_FOUND, VERSION_MISMATCH (with the current record), INVALID_TRANSITION for a singleton. */
  remove: command({
    pattern: 'content.remove',
    access: 'admin',
    input: z.object({ section, id: z.string(), ifVersion: z.int().optional() }),
    output: z.object({ _id: z.string() }),
  }),
} as const;

/** Restoring a record counts as `created`. `siteVersion` is the first snapshot version that includes the change. */
export const contentChanged = event(
  'content.changed',
  z.object({
    section,
    id: z.string(),
    change: z.enum(['created', 'updated', 'deleted']),
    recordVersion: z.int(),
    siteVersion: z.int(),
    /** Null after a deletion. */
    record: contentRecord.nullable(),
  }),
);
