import pg from 'pg';
import type { SiteUnderTest } from './site.harness.js';

/** Filled by events, some time after what caused them. */
const followsLater = new Set(['consumed_events', 'mails', 'packages', 'site_copies']);

/** How many rows each table of each service has: equal before and after when nothing was stored. */
export async function storedRows({ databaseUrls }: SiteUnderTest): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [service, connectionString] of Object.entries(databaseUrls)) {
    const database = new pg.Client({ connectionString });
    await database.connect();
    const { rows: tables } = await database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    for (const { name } of tables.filter(({ name }) => !followsLater.has(name))) {
      const { rows } = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM "${name}"`,
      );
      counts[`${service}.${name}`] = rows[0]!.count;
    }
    await database.end();
  }
  return counts;
}
