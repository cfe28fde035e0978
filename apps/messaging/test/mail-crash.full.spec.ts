import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MailRequest } from '#libs/contracts';
import { eventually, type BuiltProcess, startBuiltProcess } from '#libs/testing';
import { MailHarness } from './mail.harness.js';

const count = 500;
let harness: MailHarness;

beforeAll(async () => {
  harness = await MailHarness.open();
});
afterAll(() => harness.close());

const start = async (): Promise<BuiltProcess> => {
  // `ready` reads the health port from the log.
  const process = startBuiltProcess('messaging', harness.settings({ LOG_LEVEL: 'info' }));
  await process.ready();
  return process;
};

const mails = (label: string): MailRequest[] =>
  Array.from({ length: count }, (_, index) => ({
    mailId: randomUUID(),
    template: 'passwordChanged' as const,
    params: {},
    to: `${label}-${index}@example.com`,
  }));

test.each([1, 2, 3])(
  '500 queued mails all arrive after a kill, at most one of them twice (round %s)',
  async (round) => {
    const label = `crash-${round}`;
    await harness.requestMany(mails(label));
    const doomed = await start();
    await eventually(async () =>
      expect((await harness.mail.list({ to: label })).length).toBeGreaterThan(50 * round),
    );
    doomed.child.kill('SIGKILL');
    await doomed.exited;
    const arrivedBeforeCrash = (await harness.mail.list({ to: label })).length;
    expect(arrivedBeforeCrash).toBeLessThan(count);
    const successor = await start();
    await eventually(
      async () => {
        const { rows } = await harness.sql.query<{ state: string }>(
          `SELECT state FROM mails WHERE to_address LIKE $1`,
          [`${label}-%`],
        );
        expect(rows.filter(({ state }) => state === 'sent')).toHaveLength(count);
      },
      { timeoutMs: 120_000 },
    );
    const caught = (await harness.mail.list({ to: label })).map(({ messageId }) => messageId);
    expect(new Set(caught).size).toBe(count);
    expect(caught.length).toBeLessThanOrEqual(count + 1);
    successor.child.kill('SIGTERM');
    expect(await successor.exited).toBe(0);
  },
);

test('no mail is lost or sent twice when Postgres drops every connection', async () => {
  const process = await start();
  await harness.requestMany(mails('cut'));
  await eventually(async () => expect((await harness.mail.list({ to: 'cut' })).length).toBeGreaterThan(50));
  // Cuts every connection, as a restart of Postgres would.
  await harness.sql.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await eventually(
    async () => {
      const { rows } = await harness.sql.query(
        `SELECT 1 FROM mails WHERE to_address LIKE 'cut-%' AND state = 'sent'`,
      );
      expect(rows).toHaveLength(count);
    },
    { timeoutMs: 120_000 },
  );
  const caught = (await harness.mail.list({ to: 'cut' })).map(({ messageId }) => messageId);
  expect([caught.length, new Set(caught).size]).toEqual([count, count]);
  process.child.kill('SIGTERM');
  await process.exited;
});
