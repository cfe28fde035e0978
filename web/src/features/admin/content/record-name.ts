import type { Part } from '../screens.js';
import type { StoredRecord } from '../../../workspace/content-api.js';

/** What a record goes by. */
export function nameOf({ section, named }: Part, record: StoredRecord): string {
  return record[named] || section.labels.one;
}
