import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { MailHarness } from './mail.harness.js';

const concurrency = 4;

let harness: MailHarness;
beforeAll(async () => {
  harness = await MailHarness.open();
  await harness.start({ MAIL_TIMEOUT_MS: '1000', MAIL_CONCURRENCY: String(concurrency) });
});
afterAll(() => harness.close());

test('a mail that waits for its turn for longer than `MAIL_TIMEOUT_MS` is sent at the first attempt', async () => {
  // Messages are handed over to the mail server one at a time, so the last one waits about 2,100 ms.
  await harness.mail.misbehave({ delayMs: 700, times: concurrency });
  const ids = await Promise.all(
    Array.from({ length: concurrency }, (_, n) =>
      harness.request({ template: 'passwordChanged', params: {}, to: `person-${n}@example.com` }),
    ),
  );
  await eventually(async () => {
    const rows = await Promise.all(ids.map((id) => harness.row(id)));
    expect(rows).toMatchObject(ids.map(() => ({ state: 'sent', attempts: 1 })));
  });
});
