import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { ListTotals, openDatabase, RecordLists } from '#libs/database';
import { createLogger } from '#libs/platform';
import { SystemClock } from '#libs/runtime';
import { eventually, freshDatabase, type TestDatabase } from '#libs/testing';
import { CampaignPace } from '../campaign/campaign-pace.js';
import { CampaignPaceRepository } from '../campaign/campaign-pace.repository.js';
import { CampaignRepository } from '../campaign/campaign.repository.js';
import { CampaignWorker } from '../campaign/campaign.worker.js';
import { mailSettingsOf, messagingSettings } from '../config.js';
import { messagingDatabase } from '../database.js';
import { MailQueue } from '../mail/mail-queue.js';
import { MailRepository } from '../mail/mail.repository.js';

/** Time stands still until the test advances it, so that a slow machine does not allow more mails. */
class PaceRepositoryWithFixedTime extends CampaignPaceRepository {
  constructor(public at: Date) {
    super();
  }

  override now(): Promise<Date> {
    return Promise.resolve(this.at);
  }
}

const subscriberCount = 400;
const paceRepository = new PaceRepositoryWithFixedTime(new Date('2026-11-21T09:00:00Z'));

let database: TestDatabase;
let dataSource: DataSource;
/** Two workers that queue mails at the same time, as in two processes. */
let workers: CampaignWorker[];

beforeAll(async () => {
  database = await freshDatabase();
  const config = messagingSettings.parse({
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://127.0.0.1:6379',
    HEALTH_PORT: '0',
    PUBLIC_URL: 'https://northrank.example',
    MAIL_CAMPAIGN_PER_MINUTE: '120',
  });
  dataSource = await openDatabase(messagingDatabase(config));
  const settings = mailSettingsOf(config);
  workers = [1, 2].map(() => {
    const lists = new RecordLists(dataSource, new ListTotals());
    const mails = new MailRepository(dataSource, lists, settings);
    const campaigns = new CampaignRepository(dataSource, new SystemClock(), lists);
    const pace = new CampaignPace(settings, paceRepository);
    const queue = new MailQueue(mails, settings);
    return new CampaignWorker(
      dataSource,
      campaigns,
      pace,
      queue,
      mails,
      settings,
      createLogger('test', 'fatal'),
    );
  });
});
afterAll(async () => {
  await Promise.all((workers ?? []).map((worker) => worker.onModuleDestroy()));
  await dataSource?.destroy();
  await database?.drop();
});

/** Advances the time, and waits until a worker has had its turn to queue mails at that time. */
async function advance(seconds: number): Promise<void> {
  paceRepository.at = new Date(paceRepository.at.getTime() + seconds * 1_000);
  await eventually(async () => {
    for (const worker of workers) worker.runSoon();
    const rows = await dataSource.query<unknown[]>('SELECT 1 FROM campaign_pace WHERE refilled_at = $1', [
      paceRepository.at,
    ]);
    expect(rows).toHaveLength(1);
  });
}

/** Advances the time, marks the mails that were queued as sent, which empties the queue, and returns their number. */
async function queuedAfter(seconds: number): Promise<number> {
  await advance(seconds);
  const [, count] = await dataSource.query<[unknown, number]>(
    `UPDATE mails SET state = 'sent', finished_at = now() WHERE state = 'queued'`,
  );
  return count;
}

async function startCampaign(): Promise<string> {
  const [{ id }] = await dataSource.query<[{ id: string }]>(
    `INSERT INTO campaigns (id, subject, preheader, body, state, version, started_at, created_at, updated_at)
     VALUES (gen_random_uuid(), 'November', '', 'Hello', 'sending', 1, now(), now(), now()) RETURNING id`,
  );
  return id;
}

test('two workers together queue exactly as many campaign mails as the settings permit', async () => {
  await dataSource.query(
    `INSERT INTO subscribers (id, email, email_normalized, version, created_at, updated_at, status)
     SELECT gen_random_uuid(), number || '@example.com', number || '@example.com', 1, now(), now(), 'subscribed'
     FROM generate_series(1, $1) AS number`,
    [subscriberCount],
  );
  await startCampaign();
  await dataSource.query('UPDATE campaign_pace SET allowance = 0, refilled_at = $1', [paceRepository.at]);

  const minute: [seconds: number, mails: number][] = Array.from({ length: 12 }, () => [5, 10]);
  const expected: [seconds: number, mails: number][] = [
    [0.4, 0],
    // The fraction of a mail that was left before is not lost.
    [0.2, 1],
    [3, 6],
    ...minute,
    // An idle hour is not made up for in one burst: at most 20 mails may be queued.
    [3_600, 20],
    // A clock that is set back allows nothing.
    [-60, 0],
    [3, 6],
  ];
  const queued: typeof expected = [];
  for (const [seconds] of expected) queued.push([seconds, await queuedAfter(seconds)]);
  expect(queued).toEqual(expected);
});

test('a paused campaign whose mails are still queued does not hold up another campaign', async () => {
  // Fills the queue with mails of the first campaign.
  await advance(3_600);
  await dataSource.query(`UPDATE campaigns SET state = 'paused'`);
  const second = await startCampaign();
  await advance(5);
  const mails = await dataSource.query<unknown[]>('SELECT 1 FROM mails WHERE campaign_id = $1', [second]);
  expect(mails).toHaveLength(10);
});
