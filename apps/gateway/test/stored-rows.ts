import pg from 'pg';
import type { SiteUnderTest } from './site.harness.js';

/** Not counted, because events change these tables some time after a request. */
const tablesFilledLater = new Set([
  'billing_members',
  'consumed_events',
  'customers',
  'mails',
  'packages',
  'recipient_mails',
  'site_copies',
]);

export async function countStoredRows({ databaseUrls }: SiteUnderTest): Promise<Record<string, number>> {
  const counts = await Promise.all(
    Object.entries(databaseUrls).map(async ([service, url]) =>
      (await countRowsOf(url)).map(({ name, count }) => [`${service}.${name}`, count] as const),
    ),
  );
  return Object.fromEntries(counts.flat());
}

async function countRowsOf(connectionString: string): Promise<{ name: string; count: number }[]> {
  const database = new pg.Client({ connectionString });
  await database.connect();
  try {
    const { rows: tables } = await database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    // One statement for each database, because this runs often and there are about a hundred tables.
    const counts = tables
      .filter(({ name }) => !tablesFilledLater.has(name))
      .map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS count FROM "${name}"`);
    return (await database.query<{ name: string; count: number }>(counts.join(' UNION ALL '))).rows;
  } finally {
    await database.end();
  }
}
