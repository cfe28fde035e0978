import { createHmac } from 'node:crypto';
import pg from 'pg';
import { type ServiceName, serviceNames } from '#libs/contracts';
import { StackFailure } from './failure.js';

export const databaseNames = serviceNames;
export type DatabaseName = ServiceName;
export type DatabaseUrls = Record<DatabaseName, string>;

/**
 * Creates each service's database in the embedded server, with a role that cannot use the others. Passwords are derived from the superuser's and not
 * stored.
 */
export async function createEmbeddedDatabases(superuserUrl: string): Promise<DatabaseUrls> {
  const secret = new URL(superuserUrl).password;
  return withClient(superuserUrl, async (client) => {
    const existing = await existingDatabases(client);
    const urls: Partial<DatabaseUrls> = {};
    for (const name of databaseNames) {
      const password = createHmac('sha256', secret).update(name).digest('base64url');
      if (!existing.has(name)) {
        const roles = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
        if (roles.rowCount === 0) await client.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
        await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
      }
      // At each start, because an earlier one may have been killed after it had created the database.
      await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
      const url = new URL(superuserUrl);
      Object.assign(url, { username: name, password, pathname: `/${name}` });
      urls[name] = url.href;
    }
    return urls as DatabaseUrls;
  });
}

/** Creates the missing databases on an external server. Throws a StackFailure if that fails, for example for lack of rights. */
export async function createExternalDatabases(databaseUrl: string): Promise<DatabaseUrls> {
  try {
    return await withClient(databaseUrl, async (client) => {
      const existing = await existingDatabases(client);
      const missing = databaseNames.filter((name) => !existing.has(name));
      for (const name of missing) await client.query(`CREATE DATABASE ${name}`);
      const urls = databaseNames.map((name) => {
        const url = new URL(databaseUrl);
        url.pathname = `/${name}`;
        return [name, url.href];
      });
      return Object.fromEntries(urls) as DatabaseUrls;
    });
  } catch (error) {
    if ((error as { code?: string }).code === '42501') {
      throw new StackFailure(
        `DATABASE_URL: its role may not create databases on ${new URL(databaseUrl).host}. Create the databases ${databaseNames.join(', ')} for it.`,
      );
    }
    throw databaseFailure('DATABASE_URL', databaseUrl, error);
  }
}

/** `source` names the setting or the file that contains the address. Throws a StackFailure if there is no connection. */
export async function requireDatabase(source: string, url: string): Promise<void> {
  if (!URL.canParse(url)) throw new StackFailure(`${source} must be an address like postgres://host.`);
  await withClient(url, async () => undefined).catch((error: unknown) => {
    throw databaseFailure(source, url, error);
  });
}

function databaseFailure(source: string, url: string, error: unknown): StackFailure {
  const { code, message } = error as { code?: string; message: string };
  return new StackFailure(`${source}: Postgres at ${new URL(url).host} cannot be used: ${message || code}.`);
}

/** Undefined if there is none yet. */
export async function emailOfEarliestAdmin(identityUrl: string): Promise<string | undefined> {
  return withClient(identityUrl, async (client) => {
    const table = await client.query<{ found: string | null }>(`SELECT to_regclass('admin_users') AS found`);
    if (!table.rows[0]?.found) return undefined;
    const { rows } = await client.query<{ email: string }>(
      'SELECT user_email AS email FROM admin_users ORDER BY created_at, id LIMIT 1',
    );
    return rows[0]?.email;
  });
}

async function existingDatabases(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
  return new Set(rows.map(({ datname }) => datname));
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
