import { z } from 'zod';
import { command, query } from './contract.js';
import { importBatch, importLimits, refusalReasons } from './import-limits.js';
import { pageOf } from './paging.js';
import { writtenLine, writtenText } from './text.js';

export const refusalReason = z.enum(
  Object.keys(refusalReasons) as [keyof typeof refusalReasons, ...(keyof typeof refusalReasons)[]],
);
export type RefusalReason = z.infer<typeof refusalReason>;

export const importRefusal = z.object({
  /** Of the file, counted from 1. */
  line: z.int(),
  /** What stood there, cut off where it is long. */
  text: z.string(),
  reason: refusalReason,
});
export type ImportRefusal = z.infer<typeof importRefusal>;

/** A file of addresses on its way into the list. */
export const subscriberImport = z.object({
  _id: z.string(),
  name: z.string(),
  consent: z.string(),
  /** `stopped`: nothing has come for a minute, because a process ended; the same file can be brought again. */
  state: z.enum(['running', 'finished', 'stopped']),
  rows: z.int(),
  done: z.int(),
  added: z.int(),
  refused: z.int(),
  /** The first hundred of them. */
  refusals: z.array(importRefusal),
  createdAt: z.string(),
});
export type SubscriberImport = z.infer<typeof subscriberImport>;

/** What an admin says of a file. */
export const importDescription = z.object({
  name: writtenLine(200),
  consent: writtenText(2000),
});

const id = z.uuid();

export const subscriberImportContract = {
  begin: command({
    pattern: 'messaging.beginImport',
    access: 'admin',
    input: importDescription.extend({ rows: z.int().min(1).max(importLimits.rows) }),
    output: subscriberImport,
  }),
  /** The next rows of the file; `last` finishes it. Whoever is taken is subscribed, with the consent that the admin states. NOT_FOUND. */
  rows: command({
    pattern: 'messaging.importRows',
    access: 'admin',
    input: z.object({
      id,
      rows: z.array(z.object({ line: z.int(), text: z.string().max(300) })).max(importBatch),
      last: z.boolean(),
    }),
    output: z.object({ done: z.int() }),
  }),
  /** NOT_FOUND. */
  get: query({
    pattern: 'messaging.subscriberImport',
    access: 'admin',
    input: z.object({ id: z.string() }),
    output: subscriberImport,
  }),
  /** By line, for the whole report. NOT_FOUND. */
  refusals: query({
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
