import { describe, expect, test } from '@jest/globals';
import { automaticHeaders, plainReply, replies, replyWithFiles } from '../test/raw-mails.js';
import { readReceivedMail, replyTokensOf } from './received-mail.js';

const to = 'reply+abcdefghijklmnop@northrank.example';

describe('the new text of a reply is found:', () => {
  test.each(Object.entries(replies()))('%s', async (_what, { raw, text, folded, attachmentNames = [] }) => {
    const mail = await readReceivedMail(raw);
    expect(mail).toMatchObject({ text, from: 'ada@example.com', automatic: false, recipients: [to] });
    expect(mail.attachments.map(({ name }) => name)).toEqual(attachmentNames);
    if (folded === undefined) expect(mail.folded).toBe('');
    else expect(mail.folded).toContain(folded);
  });
});

describe('a mail is recognized as automatic:', () => {
  test.each(Object.entries(automaticHeaders))('%s', async (_what, headers) => {
    expect((await readReceivedMail(plainReply({ to }, 'I am away.', headers))).automatic).toBe(true);
  });

  test('a report that a mail could not be delivered', async () => {
    const bySender = plainReply({ to, from: 'Mail Delivery <mailer-daemon@mx.example>' }, 'Undeliverable');
    expect((await readReceivedMail(bySender)).automatic).toBe(true);
    const byType = plainReply({ to }, 'Undeliverable')
      .toString()
      .replace('text/plain; charset=utf-8', 'multipart/report; report-type=delivery-status; boundary=x');
    expect((await readReceivedMail(Buffer.from(byType))).automatic).toBe(true);
  });
});

test('a mail that says it was not submitted automatically is not recognized as automatic', async () => {
  expect((await readReceivedMail(plainReply({ to }, 'Hi', ['Auto-Submitted: no']))).automatic).toBe(false);
});

test('two From headers, or two addresses in one, count as no sender, because either could be forged', async () => {
  const twice = plainReply({ to }, 'Hi', ['From: eve@example.com']);
  expect((await readReceivedMail(twice)).from).toBe('');
  for (const from of [
    'eve@example.com, ada@example.com',
    'Ada <ada@example.com>, Eve <eve@example.com>',
    'Us: ada@example.com, eve@example.com;',
  ])
    expect((await readReceivedMail(plainReply({ to, from }, 'Hi'))).from).toBe('');
});

test.each([
  'ada@example.com',
  '<Ada@Example.com>',
  'Lovelace, Ada <ada@example.com>',
  '"Lovelace, Ada (eve@example.com)" <ada@example.com>',
  '"eve@example.com" <ada@example.com>',
  '=?utf-8?Q?Ada=2C_eve=40example=2Ecom?= <ada@example.com>',
  'Ada\r\n <ada@example.com>',
])('ada@example.com is the sender of a mail with From: %j', async (from) => {
  expect((await readReceivedMail(plainReply({ to, from }, 'Hi'))).from).toBe('ada@example.com');
});

test('the token is read from the address that the mail was delivered to, in any letter case', async () => {
  const mail = await readReceivedMail(
    plainReply({ to: 'Team <team@other.example>' }, 'Hi', [`X-Original-To: Reply+ABC@Northrank.example`]),
  );
  expect(replyTokensOf(mail.recipients, 'reply@northrank.example')).toEqual(['abc']);
  expect(replyTokensOf(mail.recipients, 'reply@other.example')).toEqual([]);
  expect(
    replyTokensOf(['reply@northrank.example', 'xreply+a@northrank.example'], 'reply@northrank.example'),
  ).toEqual([]);
});

test('at most 100 attachments are read, and the others are counted', async () => {
  const files = Array.from({ length: 103 }, (_, index) => ({
    name: `${index}.txt`,
    content: Buffer.from('x'),
  }));
  const mail = await readReceivedMail(replyWithFiles({ to }, 'Many', files));
  expect([mail.attachments.length, mail.moreAttachmentCount]).toEqual([100, 3]);
});

test('a text of a megabyte is cut', async () => {
  const written = 'word '.repeat(200_000);
  const mail = await readReceivedMail(plainReply({ to }, written));
  expect([mail.text, mail.folded]).toEqual([written.slice(0, 40_000).trim(), '']);
});

test.each([
  ['an empty mail', Buffer.alloc(0)],
  ['random bytes', Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256))],
  [
    'a boundary that never comes',
    Buffer.from('Content-Type: multipart/mixed; boundary=x\r\n\r\n--y\r\n\r\nz'),
  ],
  ['a mail that is cut off in its headers', plainReply({ to }, 'Hi').subarray(0, 40)],
  ['broken base64', Buffer.from('Content-Transfer-Encoding: base64\r\n\r\n!!!!====a')],
])('reading %s does not fail', async (_what, raw) => {
  await expect(readReceivedMail(raw)).resolves.toMatchObject({ attachments: [] });
});
