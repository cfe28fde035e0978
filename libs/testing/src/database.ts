import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import pg from 'pg';
import type { ServiceName } from '#libs/contracts';
import { patienceMs } from './eventually.js';
import { builtProgram } from './programs.js';

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** Also ends every connection to it. */
  drop(): Promise<void>;
}

/** A new database in the Postgres that `dev/commands/jest.mjs` started: with the tables of `service`, or empty. */
export async function freshDatabase(service?: ServiceName): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_POSTGRES_URL;
  if (!serverUrl) throw new Error('No Postgres for tests: run them with `node dev/commands/jest.mjs`.');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withClient(serverUrl, async (client) => {
    if (service) await ensureTemplate(client, serverUrl, service);
    // `file_copy` takes half the CPU time of the default strategy.
    await client.query(
      `CREATE DATABASE ${name} TEMPLATE ${service ? templateOf(service) : 'template1'} STRATEGY file_copy`,
    );
  });
  return {
    name,
    url: addressOf(serverUrl, name),
    drop: () =>
      withClient(serverUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** Creates the database that is copied for this service, unless it exists. A copy takes a tenth of the CPU time of all migrations. */
async function ensureTemplate(client: pg.Client, serverUrl: string, service: ServiceName): Promise<void> {
  const template = templateOf(service);
  const exists = async () =>
    (await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])).rowCount === 1;
  if (await exists()) return;
  // Other Jest workers may try to create the template at the same time. `withClient` releases the lock by ending the connection.
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [service]);
  if (await exists()) return;
  const unfinished = `${template}_unfinished`;
  // A failed migration leaves it behind.
  await client.query(`DROP DATABASE IF EXISTS ${unfinished}`);
  await client.query(`CREATE DATABASE ${unfinished}`);
  const env = { PATH: process.env.PATH, DATABASE_URL: addressOf(serverUrl, unfinished), LOG_LEVEL: 'error' };
  await promisify(execFile)(process.execPath, [builtProgram(`migrate-${service}`).program], {
    env,
    timeout: patienceMs,
  });
  await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
}

const templateOf = (service: ServiceName) => `migrated_${service}`;

function addressOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
