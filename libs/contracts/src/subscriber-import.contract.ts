import { z } from 'zod';
import { command, query } from './contract.js';
import { importBatchRows, importLimits, refusalReasons } from './import-limits.js';
import { csvExport, grouped, operation, relay, relayedIn } from './operation.js';
import { pageOf } from './paging.js';
import { adminsIdempotent, adminsOnly } from './policy.js';
import { requiredLine, requiredText } from './text.js';

const refusalReason = z.enum(
  Object.keys(refusalReasons) as [keyof typeof refusalReasons, ...(keyof typeof refusalReasons)[]],
);
export type RefusalReason = z.infer<typeof refusalReason>;

const importRefusal = z.object({
  /** Counted from 1. */
  line: z.int(),
  /** The row's cell in the column of addresses, shortened if it is long. */
  text: z.string(),
  reason: refusalReason,
});
export type ImportRefusal = z.infer<typeof importRefusal>;

export const subscriberImport = z.object({
  _id: z.string(),
  name: z.string(),
  /** How and when the owners of the addresses consented, in the admin's words. */
  consent: z.string(),
  /** `stopped`: no progress for a minute. The same file can be imported again. */
  state: z.enum(['running', 'finished', 'stopped']),
  /** Rows of the file. */
  rows: z.int(),
  /** Rows that were handled so far: the sum of `added` and `refused`. */
  done: z.int(),
  added: z.int(),
  refused: z.int(),
  /** The first hundred refusals. Imports that begin at least 30 days later delete them; deleting an account deletes those with its address. */
  refusals: z.array(importRefusal),
  createdAt: z.string(),
});
export type SubscriberImport = z.infer<typeof subscriberImport>;

const importDescription = z.object({
  name: requiredLine(200),
  consent: requiredText(2000),
});

const record = subscriberImport.meta({ id: 'SubscriberImport' });

export const subscriberImportOperations = grouped('Subscribers', {
  importSubscribers: operation({
    at: 'POST /subscribers/import',
    summary:
      'Import a CSV file of addresses (the body, or the one file of a form; up to 5 MB and 50,000 rows) whose owners consented as `consent` says. Follow its progress at /subscriber-imports/{id}',
    policy: adminsIdempotent,
    rawBody: { maxBytes: importLimits.bytes },
    query: importDescription.partial({ name: true }),
    status: 202,
    answer: record,
    failures: ['OVERLOADED'],
  }),
  getSubscriberImport: relay({
    at: 'GET /subscriber-imports/:id',
    pattern: 'messaging.subscriberImport',
    summary: 'The progress of an import, and the first hundred rows that were refused',
    policy: adminsOnly,
    answer: record,
  }),
  exportImportRefusals: csvExport({
    at: 'GET /subscriber-imports/:id/refused',
    summary:
      'The rows that an import refused, as a CSV file; kept for at least 30 days, except rows with the address of a deleted account',
    query: z.object({}),
  }),
});

export const subscriberImportContract = {
  ...relayedIn(subscriberImportOperations),
  beginImport: command({
    pattern: 'messaging.beginImport',
    access: 'admin',
    input: importDescription.extend({ rows: z.int().min(1).max(importLimits.rows) }),
    output: subscriberImport,
  }),
  /**
   * The next rows of the file; `last` completes the import. Accepted addresses are subscribed with the consent that the admin stated. Throws
   * NOT_FOUND.
   */
  importRows: command({
    pattern: 'messaging.importRows',
    access: 'admin',
    input: z.object({
      id: z.uuid(),
      rows: z.array(z.object({ line: z.int(), text: z.string().max(300) })).max(importBatchRows),
      last: z.boolean(),
    }),
    output: z.object({ done: z.int() }),
  }),
  /** In the order of the lines. Throws NOT_FOUND. */
  listRefusals: query({
    pattern: 'messaging.importRefusals',
    access: 'admin',
    input: z.object({
      id: z.string(),
      limit: z.int().min(1).max(1000),
      cursor: z
        .string()
        .regex(/^\d{1,9}$/, 'is not a cursor of this list')
        .optional(),
    }),
    output: pageOf(importRefusal),
  }),
} as const;
