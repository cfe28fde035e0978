import { z } from 'zod';
import { operation } from './operation.js';
import { adminsOnly } from './policy.js';

/** Declares the export of a list as a CSV file. */
export function csvExport<const A extends `GET /${string}`, Q extends z.ZodObject>(declaration: {
  at: A;
  id: string;
  summary: string;
  query: Q;
}) {
  return operation<A, z.ZodString, undefined, Q, undefined, true>({
    ...declaration,
    writesReply: true,
    policy: adminsOnly,
    answer: z.string(),
    mediaType: 'text/csv',
  });
}
