import type { EntityManager } from 'typeorm';
import { DomainError, type ImageUse, uploadedImageIn } from '#libs/contracts';
import type { ParsedBody } from '#libs/content-model';
import type { EntryBody } from './entry.entity.js';

interface UseRow extends ImageUse {
  value: string;
}

/** Where each uploaded picture is shown, by its id. All of content is looked through: some hundred records. */
export async function imageUses(manager: EntityManager): Promise<Map<string, ImageUse[]>> {
  const rows = await manager.query<UseRow[]>(
    `SELECT section, id, field, value FROM entries, jsonb_each_text(body) AS fields (field, value)
      WHERE value LIKE '%/images/%' ORDER BY section, position, field`,
  );
  const uses = new Map<string, ImageUse[]>();
  for (const { value, ...use } of rows) {
    const image = uploadedImageIn(value);
    if (image) uses.set(image, [...(uses.get(image) ?? []), use]);
  }
  return uses;
}

/**
 * INVALID_INPUT when a field is about to lead to an uploaded picture that there is not. What a record holds already is let be: its picture may
 * have been lost with a storage, and its other fields must still be editable.
 */
export async function refuseUnknownImages(
  tx: EntityManager,
  before: EntryBody,
  changes: ParsedBody,
): Promise<void> {
  const wanted = Object.entries(changes).flatMap(([field, value]) => {
    const image = value === undefined || value === before[field] ? undefined : siteImageIn(value);
    return image ? [{ field, image }] : [];
  });
  if (wanted.length === 0) return;
  const rows = await tx.query<{ id: string }[]>(`SELECT id FROM images WHERE id = ANY($1)`, [
    wanted.map(({ image }) => image),
  ]);
  const known = new Set(rows.map(({ id }) => id));
  const missing = wanted.filter(({ image }) => !known.has(image));
  if (missing.length === 0) return;
  throw DomainError.invalid(
    missing.map(({ field }) => ({
      field,
      message: 'points to an uploaded image that no longer exists',
    })),
  );
}

/** Another site may have pictures at addresses like ours. */
const siteImageIn = (value: string) => (value.startsWith('/images/') ? uploadedImageIn(value) : undefined);

/** What the pictures that content holds show, by their id, as far as somebody wrote it. May be newer than the version it comes with. */
export async function imageTexts(manager: EntityManager): Promise<Record<string, string>> {
  const used = [...(await imageUses(manager)).keys()];
  if (used.length === 0) return {};
  const rows = await manager.query<{ id: string; alt: string }[]>(
    `SELECT id, alt FROM images WHERE id = ANY($1) AND alt <> '' ORDER BY id`,
    [used],
  );
  return Object.fromEntries(rows.map(({ id, alt }) => [id, alt]));
}
