import { randomUUID } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** Ends every connection to the database and drops it. */
  drop(): Promise<void>;
}

/** Creates an empty database for this test in the Postgres that `dev/commands/jest.mjs` started for the run. */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server)
    throw new Error(
      'No Postgres for tests: run them by `node dev/commands/jest.mjs` (or set TEST_POSTGRES_URL).',
    );
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
