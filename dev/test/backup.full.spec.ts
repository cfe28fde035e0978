import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually, Session } from '#libs/testing';
import type { DatabaseUrls } from '../stack/databases.js';
import { Launch, temporaryDataDir } from './launcher.js';

const admin = { email: 'admin@example.com', password: 'correct horse battery' };
const env = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };

async function command(dataDir: string, ...args: string[]) {
  const run = promisify(execFile)(process.execPath, [resolve('dev/backup.mjs'), ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir },
  });
  return run.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  );
}

/** What must be equal afterwards, by database. */
async function totals(databases: DatabaseUrls): Promise<Record<string, unknown>> {
  const ask = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows[0];
    } finally {
      await client.end();
    }
  };
  return {
    content: await ask(databases.content, `SELECT count(*), sum(version) AS versions FROM entries`),
    orders: await ask(databases.orders, `SELECT count(*), sum(price_cents) AS cents FROM orders`),
    messages: await ask(databases.messaging, `SELECT count(*) FROM messages`),
    subscribers: await ask(databases.messaging, `SELECT count(*) FROM subscribers`),
    mails: await ask(
      databases.messaging,
      `SELECT count(*), count(*) FILTER (WHERE state = 'sent') AS sent FROM mails`,
    ),
    accounts: await ask(databases.identity, `SELECT count(*) FROM accounts`),
  };
}

describe('a backup, restored into an empty site', () => {
  const [original, empty] = [temporaryDataDir(), temporaryDataDir()];
  const folder = join(original.path, 'a-backup');
  let first: Launch;
  let second: Launch | undefined;
  let before: Record<string, unknown>;
  beforeAll(async () => {
    first = new Launch(original.path, env);
    const url = await first.ready();
    const customer = await Session.register(url, {
      email: 'buyer@example.com',
      password: 'a fine long password',
    });
    const [plan] = (await customer.get<{ packageName: string; packagePrice: string }[]>('/pricings')).json;
    for (let number = 1; number <= 3; number++) {
      const placed = await customer.post('/new-order', {
        packageName: plan!.packageName,
        packagePrice: plan!.packagePrice,
        customerEmail: customer.email,
        customerName: `Ada ${number}`,
        customerAddress: '12 St James’s Square',
        customerCountry: 'United Kingdom',
        paymentStatus: 'UnPaid',
        orderStatus: 'Pending',
        orderDate: new Date().toLocaleDateString('en-US', {
          month: '2-digit',
          day: '2-digit',
          year: 'numeric',
        }),
      });
      expect(placed.status).toBe(201);
    }
    // What the orders caused is over: no mail is on its way.
    await eventually(
      async () => {
        const rows = await totals(first.stack.databases);
        const { count, sent } = rows.mails as { count: string; sent: string };
        expect(Number(count)).toBeGreaterThan(3);
        expect(sent).toBe(count);
      },
      { timeoutMs: 30_000, intervalMs: 200 },
    );
    before = await totals(first.stack.databases);
  }, 180_000);
  afterAll(async () => {
    await first.stop();
    await second?.stop();
    original.remove();
    empty.remove();
  });

  test('is taken while the site runs, and says how long writes waited', async () => {
    const { code, said } = await command(original.path, 'backup', folder);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/writes waited \d+ ms/) });
    expect(existsSync(join(folder, 'manifest.json'))).toBe(true);
  });

  test('is refused by a site that runs, and by databases that hold something', async () => {
    const running = await command(original.path, 'restore', folder);
    expect(running).toMatchObject({ code: 1, said: expect.stringContaining('running already') });
  });

  test('gives equal totals, the same sign-ins, and sends no mail', async () => {
    const restored = await command(empty.path, 'restore', folder);
    expect(restored).toMatchObject({ code: 0 });
    const again = await command(empty.path, 'restore', folder);
    expect(again).toMatchObject({ code: 1, said: expect.stringContaining('not empty') });
    second = new Launch(empty.path, env);
    const url = await second.ready();
    expect(await totals(second.stack.databases)).toEqual(before);
    const again2 = await Session.signIn(url, {
      email: 'buyer@example.com',
      password: 'a fine long password',
    });
    expect((await again2.get<unknown[]>('/orders')).json).toHaveLength(3);
    // It sends what is new, and nothing else came before it.
    const { status } = await Session.visitor(url).post('/add-message', {
      fullName: 'Grace',
      emailAddress: 'grace@example.com',
      subject: 'After the restore',
      message: 'Does it work?',
      messageStatus: 'UnRead',
    });
    expect(status).toBe(201);
    await eventually(
      async () => {
        const { mails } = (await totals(second!.stack.databases)) as {
          mails: { count: string; sent: string };
        };
        expect(Number(mails.sent)).toBe(Number((before.mails as { sent: string }).sent) + 1);
      },
      { timeoutMs: 30_000, intervalMs: 200 },
    );
  }, 240_000);

  test('is refused when a file of it is damaged', async () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
      databases: { orders: { tables: { name: string }[] } };
    };
    rmSync(join(folder, 'orders', `${manifest.databases.orders.tables[0]!.name}.copy.gz`));
    await second?.stop();
    const damaged = await command(empty.path, 'restore', folder, '--replace');
    expect(damaged).toMatchObject({ code: 1, said: expect.stringContaining('damaged') });
  });
});
