import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import type { Section } from '#libs/content-model';
import type { EntryBody } from './entry.entity.js';

/**
 * Books the values of the section's unique fields for this entry and frees those it had before. Values are compared
 * without letter case and surrounding blanks. The table's primary key decides, so racing writers cannot both succeed.
 * DUPLICATE with the field named.
 */
export async function bookUniqueValues(
  tx: EntityManager,
  section: Section,
  entryId: string,
  body: EntryBody,
): Promise<void> {
  const unique = Object.entries(section.fields).flatMap(([field, { unique }]) => {
    const value = body[field];
    return unique && value !== undefined ? [{ field, digest: digestOf(value) }] : [];
  });
  if (unique.length === 0) return;
  await tx.query(`DELETE FROM entry_unique_values WHERE entry_id = $1`, [entryId]);
  for (const { field, digest } of unique) {
    const booked: unknown[] = await tx.query(
      `INSERT INTO entry_unique_values (section, field, digest, entry_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING RETURNING field`,
      [section.name, field, digest, entryId],
    );
    if (booked.length === 0) {
      throw new DomainError('DUPLICATE', {
        fields: [{ field, message: `is already used by another ${section.labels.one}` }],
      });
    }
  }
}

function digestOf(value: string): string {
  return createHash('sha256').update(value.normalize('NFC').trim().toLowerCase()).digest('hex');
}
