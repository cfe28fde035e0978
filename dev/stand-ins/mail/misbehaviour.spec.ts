import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { MailCatcher } from './client.js';

let mail: MailCatcher;
beforeAll(async () => {
  mail = await MailCatcher.start();
});
afterEach(async () => {
  await mail.behave();
  await mail.clear();
});
afterAll(() => mail?.stop());

/** Resolves with the code of the server's answer; 0 if the server hung up instead. */
async function send(...to: string[]): Promise<number> {
  const sent = createTransport(mail.smtpUrl).sendMail({ from: 'shop@example.com', to, text: 'Hello.' });
  return sent.then(
    () => 250,
    ({ responseCode = 0 }: { responseCode?: number }) => responseCode,
  );
}
const refuse = { code: 451, text: '4.7.1 Later', at: 'data' } as const;

describe('a rule', () => {
  test.each([
    ['drop', { delayMs: 1, drop: 'lost' }, 0],
    ['refuse', { delayMs: 1, refuse }, 451],
  ] as const)('that applies once can both delay and %s the same mail', async (_, rule, answer) => {
    await mail.misbehave({ ...rule, times: 1 });
    expect(await send('ann@example.com')).toBe(answer);
    expect(await send('ann@example.com')).toBe(250);
    expect(await mail.list()).toHaveLength(1);
  });

  test.each([
    ['drops', { drop: 'lost' }, 0],
    ['refuses', { refuse }, 451],
  ] as const)('about one of several recipients %s the mail for all of them', async (_, rule, answer) => {
    await mail.misbehave({ ...rule, to: 'ben@' });
    expect(await send('ann@example.com', 'ben@example.com')).toBe(answer);
    expect(await mail.list()).toEqual([]);
    expect(await send('ann@example.com')).toBe(250);
  });

  test('applies to recipients whatever the case of their letters', async () => {
    await mail.misbehave({ refuse: { ...refuse, at: 'rcpt' }, to: 'Ben@Example.com' });
    expect(await send('ben@example.com')).toBe(451);
  });

  test('that delays a mail stops delaying it when the server behaves again', async () => {
    await mail.misbehave({ to: 'slow@', delayMs: 600_000 });
    let answer: number | undefined;
    const sent = send('slow@example.com').then((code) => (answer = code));
    expect(await send('quick@example.com')).toBe(250);
    // Long enough that the slow mail would have been answered without its delay.
    await wait(300);
    expect(answer).toBeUndefined();
    expect(await mail.list({ to: 'slow@example.com' })).toEqual([]);
    await mail.behave();
    expect(await sent).toBe(250);
  });

  test('does not apply while a newer rule of the same kind does', async () => {
    await mail.misbehave({ refuse });
    await mail.misbehave({ refuse: { ...refuse, code: 452 }, times: 2 });
    expect([await send('a@example.com'), await send('a@example.com'), await send('a@example.com')]).toEqual([
      452, 452, 451,
    ]);
  });
});
