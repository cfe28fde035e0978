import { createHmac } from 'node:crypto';
import pg from 'pg';
import { type ServiceName, serviceNames } from '#libs/contracts';
import { StackFailure } from './failure.js';

/** The names of the databases: those of the services, each of which has its own database. */
export const databaseNames = serviceNames;
export type DatabaseName = ServiceName;
export type DatabaseUrls = Record<DatabaseName, string>;

/**
 * Creates the missing databases in the embedded server, one for each service, each with a role that cannot use the other databases. The passwords
 * are derived from the superuser's, so that they need not be stored.
 */
export async function embeddedDatabases(superuserUrl: string): Promise<DatabaseUrls> {
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
      // At each start, because an earlier start may have been killed after it had created the database.
      await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
      const url = new URL(superuserUrl);
      Object.assign(url, { username: name, password, pathname: `/${name}` });
      urls[name] = url.href;
    }
    return urls as DatabaseUrls;
  });
}

/**
 * Creates the missing databases on an external server. Throws a StackFailure if that fails, for example because the role in the URL may not
 * create databases.
 */
export async function externalDatabases(databaseUrl: string): Promise<DatabaseUrls> {
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
    throw cannotBeUsed('DATABASE_URL', databaseUrl, error);
  }
}

/** Tests the connection to a database. `source` is the setting, or the file, with its address. Throws a StackFailure if that fails. */
export async function requireDatabase(source: string, url: string): Promise<void> {
  if (!URL.canParse(url)) throw new StackFailure(`${source} must be an address like postgres://host.`);
  await withClient(url, async () => undefined).catch((error: unknown) => {
    throw cannotBeUsed(source, url, error);
  });
}

function cannotBeUsed(source: string, url: string, error: unknown): StackFailure {
  const { code, message } = error as { code?: string; message: string };
  return new StackFailure(`${source}: Postgres at ${new URL(url).host} cannot be used: ${message || code}.`);
}

/** The e-mail address of the earliest admin; undefined if there is none yet. */
export async function addressOfEarliestAdmin(identityUrl: string): Promise<string | undefined> {
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
