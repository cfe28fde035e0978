import { z } from 'zod';
import {
  importDescription,
  importLimits,
  subscriberImport,
  subscriberImportContract as contract,
} from '#libs/contracts';
import { csvExport } from './csv.js';
import { grouped, operation, output, relay } from './operation.js';
import { adminsOnce, adminsOnly } from './policy.js';

const record = subscriberImport.meta({ id: 'SubscriberImport' });

export const subscriberImportOperations = grouped('Subscribers', {
  start: operation({
    at: 'POST /subscribers/import',
    id: 'importSubscribers',
    summary:
      'Import a CSV file of addresses (the body, or the one file of a form; up to 5 MB and 50,000 rows) whose owners consented as `consent` says. Follow its progress at /subscriber-imports',
    policy: adminsOnce,
    rawBody: { maxBytes: importLimits.bytes },
    query: importDescription.partial({ name: true }),
    status: 202,
    answer: record,
    failures: ['OVERLOADED'],
  }),
  get: relay({
    at: 'GET /subscriber-imports/:id',
    id: 'getSubscriberImport',
    summary: 'The progress of an import, and the first hundred rows that were refused',
    policy: adminsOnly,
    failures: ['NOT_FOUND'],
    to: output(contract.get, record),
  }),
  refused: csvExport({
    at: 'GET /subscriber-imports/:id/refused',
    id: 'exportImportRefusals',
    summary: 'Every row that an import refused, as a CSV file',
    query: z.object({}),
  }),
});
