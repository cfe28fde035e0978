import { z } from 'zod';
import { auditEntry, auditFilter } from '#libs/contracts';
import { csvEndpoint } from '../csv/csv-download.js';
import { adminsOnly } from '../policy/policy.js';
import type { Endpoint } from '../routing/endpoint.js';
import { pageQuery, wholeNumber } from '../routing/listing.js';

export const auditPageLimit = 100;

export const auditEndpoint: Endpoint = {
  method: 'GET',
  path: '/audit',
  policy: adminsOnly,
  operationId: 'listAuditEntries',
  summary: 'What admins changed, newest first; `Link` leads to older entries',
  group: 'Audit log',
  query: auditFilter.extend({
    limit: wholeNumber(auditPageLimit).optional().describe('Entries of a page; 25 unless said otherwise.'),
    cursor: pageQuery.shape.cursor,
  }),
  status: 200,
  answer: z.array(auditEntry.meta({ id: 'AuditEntry' })),
  failures: ['INVALID_INPUT'],
};

export const exportAuditEndpoint = csvEndpoint({
  path: '/audit/export',
  operationId: 'exportAuditEntries',
  summary: 'All entries that pass the filter, as a CSV file',
  group: auditEndpoint.group,
  query: auditFilter,
});

export const auditEndpoints: readonly Endpoint[] = [auditEndpoint, exportAuditEndpoint];
