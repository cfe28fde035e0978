import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, type BuiltProcess, startBuiltProcess } from '#libs/testing';
import { CampaignHarness } from './campaign.harness.js';

const count = 20_000;
const timeoutMs = 600_000;
let harness: CampaignHarness;

beforeAll(async () => {
  harness = await CampaignHarness.open();
});
afterAll(() => harness?.close());

async function start(): Promise<BuiltProcess> {
  const settings = harness.messaging.settings({ LOG_LEVEL: 'info', MAIL_CAMPAIGN_PER_MINUTE: '60000' });
  const process = startBuiltProcess('messaging', settings);
  await process.ready();
  return process;
}

test('a campaign reaches all 20 000 people although messaging is killed three times, and at most three mails are sent again', async () => {
  let messaging = await start();
  await harness.subscribe('many', count);
  const id = await harness.send();
  for (const sentBeforeKill of [2_000, 4_000, 6_000]) {
    await eventually(
      async () => expect((await harness.campaign(id)).counts.sent).toBeGreaterThan(sentBeforeKill),
      { timeoutMs, intervalMs: 200 },
    );
    messaging.child.kill('SIGKILL');
    await messaging.exited;
    messaging = await start();
  }
  const { counts } = await harness.untilState(id, 'sent', timeoutMs);
  expect(counts).toEqual({
    ...{ recipients: count, sent: count, waiting: 0, failed: 0 },
    ...{ leftOut: 0, bounced: 0, unsubscribed: 0 },
  });
  const caught = await harness.messaging.mail.list({ to: 'many-' });
  expect(new Set(caught.map(({ to }) => to)).size).toBe(count);
  expect(new Set(caught.map(({ messageId }) => messageId)).size).toBe(count);
  expect(caught.length).toBeLessThanOrEqual(count + 3);
  messaging.child.kill('SIGTERM');
  expect(await messaging.exited).toBe(0);
}, 1_800_000);
