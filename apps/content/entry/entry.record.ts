import type { ContentRecord } from '#libs/contracts';
import type { Section } from '#libs/content-model';
import type { Entry } from './entry.entity.js';

/**
 * The record as it is answered: the declared fields it has, in their declared order. A field that the declaration no
 * longer knows stays in the database and is not shown, so that what is read can always be sent back.
 */
export function toRecord(
  section: Section,
  {
    id,
    createdAt,
    updatedAt,
    version,
    body,
  }: Pick<Entry, 'id' | 'createdAt' | 'updatedAt' | 'version' | 'body'>,
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
