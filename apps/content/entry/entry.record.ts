import type { ContentRecord } from '#libs/contracts';
import type { Section } from '#libs/content-model';
import type { EntryEntity } from './entry.entity.js';

/**
 * With the declared fields, in the order of their declaration. A field that is no longer declared stays in the database but is left out, so that
 * callers can send back what they have read.
 */
export function toRecord(
  section: Section,
  {
    id,
    createdAt,
    updatedAt,
    version,
    body,
  }: Pick<EntryEntity, 'id' | 'createdAt' | 'updatedAt' | 'version' | 'body'>,
): ContentRecord {
  const values = Object.keys(section.fields).flatMap((field) =>
    Object.hasOwn(body, field) ? [[field, body[field]] as const] : [],
  );
  return {
    _id: id,
    ...Object.fromEntries(values),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    version,
  };
}
