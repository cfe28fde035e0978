import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { builtProgram } from '#libs/testing';
import { plainReply, replyWithFiles } from './raw-mails.js';
import { IsolatedMailReader, UnreadableMail } from '../inbound-mail/isolated-mail-reader.js';

const to = 'reply+abcdefghijklmnop@northrank.example';
const reader = (deadlineMs = 60_000) =>
  new IsolatedMailReader({ ...builtProgram('mail-reader'), deadlineMs });
/** A copy, because the reader takes over the memory of the bytes that it gets. */
const bytesOf = (raw: Buffer) => new Uint8Array(raw);

test('several mails are read at the same time, with their attachments', async () => {
  const content = Buffer.alloc(1_000_000, 5);
  const raw = () => bytesOf(replyWithFiles({ to }, 'Here it is.', [{ name: 'a.bin', content }]));
  const shared = reader();
  const mails = await Promise.all([1, 2, 3].map(() => shared.read(raw())));
  for (const mail of mails) {
    expect(mail).toMatchObject({ text: 'Here it is.', from: 'ada@example.com' });
    expect(content.equals(mail.attachments[0]!.content)).toBe(true);
  }
});

const nested = (depth: number) =>
  Buffer.from(
    Array.from(
      { length: depth },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    ).join(''),
  );

test.each([
  ['has a thousand nested parts', nested(1_000)],
  [
    'has a megabyte of headers',
    plainReply(
      { to },
      'Hi',
      Array.from({ length: 20_000 }, (_, at) => `X-${at}: ${'y'.repeat(40)}`),
    ),
  ],
  ['has one header of a megabyte', plainReply({ to }, 'Hi', [`X-Long: ${'y'.repeat(1_000_000)}`])],
])('a mail that %s is refused', async (_what, raw) => {
  await expect(reader().read(bytesOf(raw))).rejects.toThrow(UnreadableMail);
});

test('a mail that takes too long is refused', async () => {
  await expect(reader(1).read(bytesOf(plainReply({ to }, 'Hi')))).rejects.toThrow('too long');
});

describe('if a worker thread ends without an answer', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mail-reader-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const faultOf = async (program: string) =>
    new IsolatedMailReader({ program }).read(bytesOf(plainReply({ to }, 'Hi'))).then(
      () => undefined,
      (error: unknown) => error,
    );

  test('because it needs too much memory, the mail is refused', async () => {
    const program = join(folder, 'greedy.mjs');
    await writeFile(program, 'const all = []; for (;;) all.push(Array(100_000).fill({}));');
    expect(await faultOf(program)).toBeInstanceOf(UnreadableMail);
  });

  test.each([
    ['its program is missing', undefined],
    ['its program is broken', 'throw new Error("Broken");'],
    ['it was stopped', 'process.exit(0);'],
  ])('because %s, the mail is not refused', async (what, text) => {
    const program = join(folder, `${what}.mjs`);
    if (text) await writeFile(program, text);
    const fault = await faultOf(program);
    expect(fault).toBeInstanceOf(Error);
    expect(fault).not.toBeInstanceOf(UnreadableMail);
  });
});

test.each([
  ['lines', '\n'.repeat(60_000)],
  ['words that could introduce a quotation', 'On '.repeat(30_000)],
  ['Dutch words that introduce a quotation', 'Op \nschreef'.repeat(6_000)],
  ['Polish words that introduce a quotation', 'Dnia \npisze'.repeat(6_000)],
  ['angle brackets', '<'.repeat(100_000)],
  ['lines that look like headers', 'From: a\n'.repeat(20_000)],
])('a mail of many %s is read in seconds', async (_what, text) => {
  await expect(reader(20_000).read(bytesOf(plainReply({ to }, text)))).resolves.toMatchObject({
    automatic: false,
  });
});
