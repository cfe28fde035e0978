import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { freshDatabase, type TestDatabase } from '#libs/testing';
import {
  type MailCounter,
  openDatabase,
  RecipientLimits,
  recipientLimitsMigrations,
  uuidv7,
} from '../src/index.js';

const now = new Date();
const limits = new RecipientLimits();
let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await freshDatabase();
  dataSource = await openDatabase({ url: database.url, entities: [], migrations: recipientLimitsMigrations });
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const threeAnHour = (): MailCounter[] => [
  { key: `${uuidv7()}@example.com`, limits: [{ of: 'this kind', count: 3, seconds: 3600 }] },
];
/** Returns the seconds to wait; 0 for a mail within its limits. */
const countMail = (kind: string, counters: MailCounter[]) =>
  dataSource.transaction((tx) => limits.countMail(tx, kind, counters, now));

test('of twenty mails that are counted at the same time, three are within a limit of three', async () => {
  const counters = threeAnHour();
  const waits = await Promise.all(Array.from({ length: 20 }, () => countMail('notification', counters)));
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(3);
  expect(new Set(waits)).toEqual(new Set([0, 3600]));
});

test('a mail over its limit does not wait for a transaction that counts another mail to the same recipient', async () => {
  const counters = threeAnHour();
  for (let mail = 0; mail < 3; mail += 1) expect(await countMail('notification', counters)).toBe(0);
  await dataSource.transaction(async (tx) => {
    expect(await limits.countMail(tx, 'invitation', counters, now)).toBe(0);
    expect(await countMail('notification', counters)).toBe(3600);
  });
});
