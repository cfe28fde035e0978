import { z } from 'zod';
import {
  importDescription,
  importLimits,
  type ImportRefusal,
  refusalReasons,
  subscriberImport,
} from '#libs/contracts';
import { csvEndpoint, type CsvColumns } from '../csv/csv-download.js';
import { adminsOnce, adminsOnly } from '../policy/policy.js';
import type { Endpoint } from '../routing/endpoint.js';

const group = 'Subscribers';
const record = subscriberImport.meta({ id: 'SubscriberImport' });

export const importSubscribersEndpoint: Endpoint = {
  method: 'POST',
  path: '/subscribers/import',
  policy: adminsOnce,
  operationId: 'importSubscribers',
  summary:
    'Take in a CSV file of addresses, as it is or as the one file of a form, up to 5 MB and 50,000 rows, whose owners consented as `consent` says; its progress is told at /subscriber-imports',
  group,
  rawBody: { maxBytes: importLimits.bytes },
  query: importDescription.partial({ name: true }),
  status: 202,
  answer: record,
  failures: ['INVALID_INPUT', 'OVERLOADED', 'IDEMPOTENCY_KEY_REUSED'],
};

export const getImportEndpoint: Endpoint = {
  method: 'GET',
  path: '/subscriber-imports/:id',
  policy: adminsOnly,
  operationId: 'getSubscriberImport',
  summary: 'How far an import has come, and the first hundred rows that were refused',
  group,
  status: 200,
  answer: record,
  failures: ['NOT_FOUND'],
};

export const exportRefusalsEndpoint = csvEndpoint({
  path: '/subscriber-imports/:id/refused',
  operationId: 'exportImportRefusals',
  summary: 'Every row that an import refused, as a CSV file',
  group,
  query: z.object({}),
});

export const refusalColumns: CsvColumns<ImportRefusal> = [
  ['Line', ({ line }) => String(line)],
  ['Text', ({ text }) => text],
  ['Reason', ({ reason }) => refusalReasons[reason]],
];

export const subscriberImportEndpoints: readonly Endpoint[] = [
  importSubscribersEndpoint,
  getImportEndpoint,
  exportRefusalsEndpoint,
];
