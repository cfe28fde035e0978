import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import type { EmailContent } from '../mail/email-content.js';
import { composeMessage } from './mime-message.js';

const content: EmailContent = {
  subject: 'Hello',
  preheader: 'Before the text',
  heading: 'Hello',
  blocks: [{ kind: 'text', text: 'One.\n\nTwo.' }],
  footerReason: 'Because.',
};
const brand = { name: 'Northrank', siteUrl: 'https://northrank.example' };
const details = {
  messageId: '<id@northrank.example>',
  date: new Date('2026-11-21T10:00:00Z'),
  to: 'ann@example.com',
};
const settings = { from: { name: '', address: 'hello@northrank.example' } };

const headerNames = async (message: Buffer) =>
  (await PostalMime.parse(message)).headers.map(({ key }) => key).sort();
const usualHeaderNames = composeMessage(content, brand, details, settings).then(headerNames);

const hostile = [
  'Ann\r\nBcc: victim@example.com',
  'Ann\nX-Injected: 1\n\nbody',
  'Ann <a@b.c>, Eve <eve@example.com>',
  '"quoted" \\ (comment)',
  '=?utf-8?q?encoded?=',
  'Łukasz \u202e\u0000\u2028 Ünïcode 🙂',
  'x'.repeat(3_000),
];

describe('a mail', () => {
  test('has a date, an id, a text part and an HTML part, and suppresses automatic replies', async () => {
    const mail = await PostalMime.parse(await composeMessage(content, brand, details, settings));
    expect(mail).toMatchObject({
      subject: 'Hello',
      date: '2026-11-21T10:00:00.000Z',
      messageId: '<id@northrank.example>',
      from: { name: 'Northrank', address: 'hello@northrank.example' },
      to: [{ address: 'ann@example.com' }],
    });
    expect(mail.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    expect(mail.text).toContain('Hello\n\nOne.\n\nTwo.');
    expect(mail.html).toContain('<h1');
  });

  test.each(hostile)('has the usual headers and short lines with %j as subject and names', async (text) => {
    const replyTo = { name: text, address: 'eve@example.com' };
    const message = await composeMessage(
      { ...content, subject: text },
      { ...brand, name: text },
      { ...details, replyTo },
      settings,
    );
    const mail = await PostalMime.parse(message);
    expect(await headerNames(message)).toEqual([...(await usualHeaderNames), 'reply-to'].sort());
    expect(mail.replyTo).toMatchObject([{ address: 'eve@example.com' }]);
    expect(mail.from).toMatchObject({ address: 'hello@northrank.example' });
    expect(mail.to).toMatchObject([{ address: 'ann@example.com' }]);
    // No line is longer than servers accept (RFC 5322, section 2.1.1).
    expect(
      Math.max(
        ...message
          .toString('latin1')
          .split('\r\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(998);
  });

  test('has no additional headers, whatever people write', async () => {
    const expected = [...(await usualHeaderNames), 'reply-to'].sort();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
        const replyTo = { name: text, address: 'eve@example.com' };
        const message = await composeMessage(
          { ...content, subject: text },
          brand,
          { ...details, replyTo },
          settings,
        );
        const names = await headerNames(message);
        // An empty subject gets no header.
        expect(names.filter((name) => name !== 'subject')).toEqual(
          expected.filter((name) => name !== 'subject'),
        );
      }),
      { numRuns: 15 },
    );
  });

  test('has one-click unsubscribe headers in a newsletter (RFC 8058)', async () => {
    const unsubscribeUrl = 'https://northrank.example/unsubscribe/abc';
    const mail = await PostalMime.parse(
      await composeMessage({ ...content, unsubscribeUrl }, brand, details, settings),
    );
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(header('list-unsubscribe')).toBe(`<${unsubscribeUrl}>`);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(mail.text).toContain(unsubscribeUrl);
  });
});
