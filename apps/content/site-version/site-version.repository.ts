import type { EntityManager } from 'typeorm';

/**
 * Makes this transaction the only one that changes content until it ends, and tells the site's version.
 *
 * Every write begins here. Versions are thereby given out in the order of commits (a cache that has read version 7 has
 * seen all that is in 1 to 7), counting the records of a section needs no further lock, and no two writers can deadlock.
 * A site's editors write a few times a minute; the writes queue for milliseconds.
 */
export async function lockSite(tx: EntityManager): Promise<number> {
  const [row] = await tx.query<[{ version: number }]>(`SELECT version FROM site_version FOR UPDATE`);
  return row.version;
}

/** Counts one change. Only after `lockSite`, in the same transaction. */
export async function advanceSite(tx: EntityManager): Promise<number> {
  const [[row]] = await tx.query<[[{ version: number }], number]>(
    `UPDATE site_version SET version = version + 1 RETURNING version`,
  );
  return row.version;
}
