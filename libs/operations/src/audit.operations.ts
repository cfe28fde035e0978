import { z } from 'zod';
import { auditEntry, auditFilter } from '#libs/contracts';
import { csvExport } from './csv.js';
import { pageQuery, wholeNumber } from './inputs.js';
import { grouped, operation } from './operation.js';
import { adminsOnly } from './policy.js';

/** The most entries of one page. */
export const auditPageLimit = 100;

export const auditOperations = grouped('Audit log', {
  list: operation({
    at: 'GET /audit',
    id: 'listAuditEntries',
    summary: 'Changes that admins made, newest first; `Link` leads to older entries',
    policy: adminsOnly,
    query: auditFilter.extend({
      limit: wholeNumber(auditPageLimit).optional().describe('Entries of a page; 25 unless said otherwise.'),
      cursor: pageQuery.shape.cursor,
    }),
    answer: z.array(auditEntry.meta({ id: 'AuditEntry' })),
  }),
  export: csvExport({
    at: 'GET /audit/export',
    id: 'exportAuditEntries',
    summary: 'All entries that pass the filter, as a CSV file',
    query: auditFilter,
  }),
});
