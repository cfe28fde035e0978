import type { Site } from '../../lib/site.js';
import type { StoredRecord } from '../../workspace/content-api.js';
import type { SearchHit } from './find-screens.js';
import { contentScreens, editAddressOf, nameOf } from './content-screens.js';

const maxResults = 6;
const maxNameLength = 60;

/** The first `maxResults` records, of whatever section, that contain every (lower-case) word. */
export function findRecords(site: Site, words: readonly string[]): SearchHit[] {
  const found: SearchHit[] = [];
  for (const { label, parts } of contentScreens) {
    for (const part of parts) {
      const records: readonly StoredRecord[] =
        (site as Record<string, readonly StoredRecord[]>)[part.section.name] ?? [];
      for (const record of records) {
        const values = Object.keys(part.section.fields).map((field) => record[field] ?? '');
        const text = values.join('\n').toLowerCase();
        if (!words.every((word) => text.includes(word))) continue;
        found.push({
          to: editAddressOf(part, record._id),
          text: nameOf(part, record).slice(0, maxNameLength),
          where: label,
        });
        if (found.length === maxResults) return found;
      }
    }
  }
  return found;
}
