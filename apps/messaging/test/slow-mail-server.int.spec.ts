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

test('mails wait for their turn for longer than the mail server has for an answer', async () => {
  await harness.mail.misbehave({ delayMs: 700, times: concurrency });
  const ids = await Promise.all(
    Array.from({ length: concurrency }, (_, n) =>
      harness.request({ template: 'passwordChanged', params: {}, to: `person-${n}@example.com` }),
    ),
  );
  await eventually(async () => {
    const rows = await Promise.all(ids.map((id) => harness.row(id)));
    expect(rows.map((row) => row?.state)).toEqual(ids.map(() => 'sent'));
  });
});
