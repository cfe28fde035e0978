import type { AuditEntry } from '#libs/contracts';
import type { CsvColumns } from '../csv/csv-download.js';

export const auditColumns: CsvColumns<AuditEntry> = [
  ['When', ({ at }) => at],
  ['Who', ({ actorEmail }) => actorEmail],
  ['What', ({ change }) => change],
  ['Section', ({ section }) => section],
  ['Record', ({ name }) => name],
  ['Record id', ({ recordId }) => recordId],
  ['Before', ({ before }) => jsonOf(before)],
  ['After', ({ after }) => jsonOf(after)],
];

const jsonOf = (values: AuditEntry['before']) => (values === null ? '' : JSON.stringify(values));
