import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { maxInboundMailBytes, replyLine, type Thread } from '#libs/contracts';
import { eventually, type Session, fullTest } from '#libs/testing';
import { MailCatcher } from '../../../dev/stand-ins/mail/client.js';
import { insertProject } from './project-uploads.js';
import { accountIdOf, startSite, type SiteUnderTest } from './site.harness.js';

const secret = 'the secret of received mails, of more than 32 characters';
const replyAddress = 'reply@northrank.example';
const email = 'ada@example.com';

let site: SiteUnderTest;
let mail: MailCatcher;
let admin: Session;
let customer: Session;
let sql: pg.Client;
let accountId: string;
let projectId: string;

beforeAll(async () => {
  mail = await MailCatcher.start();
  site = await startSite({
    processes: ['projects'],
    without: ['orders'],
    gateways: 2,
    settings: { INBOUND_MAIL_SECRET: secret },
    projectsSettings: { INBOUND_MAIL_ADDRESS: replyAddress },
    messagingSettings: { SMTP_URL: mail.smtpUrl, MAIL_FROM: 'hello@northrank.example' },
  });
  [admin, customer] = [await site.admin(), await site.customer(email)];
  const identity = new pg.Client({ connectionString: site.databaseUrls.identity });
  await identity.connect();
  await identity.query('UPDATE accounts SET email_verified = true WHERE email = $1', [email]);
  await identity.end();
  accountId = accountIdOf(customer);
  sql = new pg.Client({ connectionString: site.databaseUrls.projects });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await site?.stop();
  await mail?.stop();
});
beforeEach(async () => {
  projectId = await insertProject(sql, accountId);
});

function plainReply(
  { to, from, messageId }: { to: string; from: string; messageId?: string },
  text: string,
): Buffer {
  const headers = [
    `From: ${from}`,
    `To: ${to}`,
    'Subject: Re: SEO audit',
    'Content-Type: text/plain; charset=utf-8',
  ];
  if (messageId) headers.push(`Message-ID: ${messageId}`);
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${text}`);
}

const signature = (raw: Buffer, key = secret, seconds = Math.floor(Date.now() / 1_000)) =>
  `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.`).update(raw).digest('hex')}`;
const post = (raw: Buffer, header = signature(raw)) =>
  fetch(new URL('/inbound-mail', site.url), {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', ...(header !== '' && { 'mail-signature': header }) },
    body: new Uint8Array(raw),
  }).then(({ status }) => status);
const folder = () => join(site.filesDir, 'private', 'inbound-mail');
const storedMails = () => readdir(folder()).catch(() => []);
const messages = async () => {
  const { json } = await customer.get<Thread>(`/project/${projectId}/thread`);
  return json.entries.filter((entry) => entry.kind === 'message');
};
async function createReplyAddress(): Promise<string> {
  const token = randomUUID().replaceAll('-', '');
  await sql.query(
    `INSERT INTO readers (project_id, account_id, side, reply_token) VALUES ($1, $2, 'customer', $3)`,
    [projectId, accountId, token],
  );
  return replyAddress.replace('@', `+${token}@`);
}

test('a message that is unread for five minutes is mailed, and a reply that arrives twice is in the thread once', async () => {
  const { status } = await admin.post(`/staff-project/${projectId}/messages`, {
    text: 'When do we **start**?',
  });
  expect(status).toBe(200);
  // Five minutes later.
  await sql.query(`UPDATE thread_entries SET at = at - interval '5 minutes' WHERE project_id = $1`, [
    projectId,
  ]);
  await sql.query('UPDATE unread_checks SET due_at = now() WHERE project_id = $1', [projectId]);
  const caught = await eventually(() => mail.newest({ to: email, subject: 'New message' }));
  expect(caught.subject).toMatch(/^New message from \w+: SEO audit \(#\d+\)$/);
  expect(caught.text.startsWith(replyLine)).toBe(true);
  const reply = { text: 'Tomorrow, please.', messageId: '<once@mail.example>' };
  const answers = await Promise.all(
    site.gateways.map(({ url }) => mail.reply(caught.id, reply, { siteUrl: url, secret })),
  );
  expect(answers).toEqual([200, 200]);
  await eventually(async () => {
    expect(await messages()).toMatchObject([
      { by: { side: 'staff' } },
      { text: 'Tomorrow, please.', byMail: true, by: { side: 'customer', name: 'Ada Lovelace' } },
    ]);
    // No mail is left to be processed.
    const { rows } = await sql.query(`SELECT 1 FROM inbound_mails WHERE state = 'stored'`);
    expect(rows).toEqual([]);
    expect(await storedMails()).toEqual([]);
  });
  expect(await messages()).toHaveLength(2);
});

test('nothing is kept of a mail without a valid signature', async () => {
  const raw = plainReply({ to: await createReplyAddress(), from: email }, 'Hi');
  const changed = Buffer.concat([raw, Buffer.from('!')]);
  const old = Math.floor(Date.now() / 1_000) - 301;
  const kept = async () => ({
    files: (await readdir(site.filesDir, { recursive: true })).sort(),
    mails: (await sql.query('SELECT * FROM inbound_mails ORDER BY id')).rows,
  });
  const before = await kept();
  for (const [body, header] of [
    [raw, ''],
    [raw, 'v1=abc'],
    [raw, signature(raw, 'another secret that nobody has given us')],
    [raw, signature(raw, secret, old)],
    [changed, signature(raw)],
  ] as const)
    expect(await post(body, header)).toBe(403);
  expect(await kept()).toEqual(before);
  // A gateway does not start with an empty secret, with which anybody could sign.
  await expect(site.startGateway({ INBOUND_MAIL_SECRET: '' })).rejects.toThrow('INBOUND_MAIL_SECRET');
});

test('the mail provider’s mails are accepted while outsiders send slow requests', async () => {
  const { port, hostname } = new URL(site.url);
  const raw = plainReply({ to: await createReplyAddress(), from: email }, 'Quick.');
  const outsiderRequest = (length: number) =>
    request({
      ...{
        host: hostname,
        port,
        path: '/inbound-mail',
        method: 'POST',
        // Another client network than the mail provider's: at most eight mails may arrive from each at the same time.
        localAddress: '127.0.0.2',
        agent: false,
      },
      headers: {
        'Mail-Signature': signature(raw, 'an outsider does not know the secret'),
        'Content-Length': length,
      },
    }).on('error', () => undefined);
  /** Sends the first byte of a thousand. */
  const begin = () => {
    const sending = outsiderRequest(1_000);
    sending.write('x');
    return sending;
  };
  const slow = Array.from({ length: 8 }, begin);
  const quick = () =>
    new Promise((resolve) =>
      outsiderRequest(1)
        .on('response', (answer) => resolve(answer.resume().statusCode))
        .end('x'),
    );
  await eventually(async () => {
    // Begins one more, because a slow request may have been refused while a quick one was arriving.
    slow.push(begin());
    expect(await quick()).toBe(503);
  });
  expect(await post(raw)).toBe(200);
  for (const sending of slow) sending.destroy();
  await eventually(async () => expect(await quick()).toBe(403));
  await eventually(async () => {
    expect(await messages()).toMatchObject([{ text: 'Quick.' }]);
    expect(await storedMails()).toEqual([]);
  });
});

fullTest('a mail of 25 MiB is accepted, and one byte more is refused', async () => {
  const head = [
    ...[`From: ${email}`, `To: ${await createReplyAddress()}`, 'Message-ID: <big@mail.example>'],
    'Content-Type: multipart/mixed; boundary="part"',
    ...['', '--part', 'Content-Type: text/plain', '', 'Large.', '--part'],
    ...['Content-Type: application/octet-stream', 'Content-Disposition: attachment; filename="large.bin"'],
    ...['Content-Transfer-Encoding: base64', '', ''],
  ].join('\r\n');
  const end = '\r\n--part--';
  const line = Buffer.from(`${'QUJD'.repeat(19)}\r\n`);
  const raw = Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(maxInboundMailBytes - head.length - end.length, line),
    Buffer.from(end),
  ]);
  expect(await post(Buffer.concat([raw, Buffer.from('x')]))).toBe(413);
  expect(await storedMails()).toEqual([]);
  expect(await post(raw)).toBe(200);
  await eventually(async () =>
    expect(await messages()).toMatchObject([{ text: 'Large.', files: [{ name: 'large.bin' }] }]),
  );
});

fullTest('acknowledged mails appear once in the thread, even if the projects service is killed', async () => {
  const to = await createReplyAddress();
  const raw = (text: string) => plainReply({ to, from: email, messageId: `<${text}@mail.example>` }, text);
  const texts = ['one', 'two', 'three', 'four', 'five', 'six'];
  expect(await Promise.all(texts.map((text) => post(raw(text))))).toEqual(texts.map(() => 200));
  await site.projects[0]!.kill();
  await site.startProjects();
  await eventually(
    async () =>
      expect((await messages()).map((entry) => entry.kind === 'message' && entry.text).sort()).toEqual(
        texts.toSorted(),
      ),
    { intervalMs: 250 },
  );
  expect(await Promise.all(texts.map((text) => post(raw(text))))).toEqual(texts.map(() => 200));
  await eventually(async () => expect(await storedMails()).toEqual([]));
  expect(await messages()).toHaveLength(texts.length);
});

fullTest(
  'a gateway that is killed while a mail arrives stores nothing of it, and another gateway accepts it when it is sent again',
  async () => {
    const raw = plainReply(
      { to: await createReplyAddress(), from: email, messageId: '<again@mail.example>' },
      'Again.',
    );
    const padded = Buffer.concat([raw, Buffer.alloc(200_000, '\n')]);
    const gateway = await site.startGatewayProcess();
    const sending = request(`${gateway.url}/inbound-mail`, {
      method: 'POST',
      headers: {
        'Mail-Signature': signature(padded),
        'Content-Length': padded.length,
        Expect: '100-continue',
      },
    });
    const ended = new Promise((resolve) => sending.on('error', resolve).on('close', resolve));
    // The gateway has received the headers.
    await once(sending, 'continue');
    sending.write(padded.subarray(0, 100_000));
    await gateway.kill();
    await ended;
    expect(await storedMails()).toEqual([]);
    expect(await messages()).toEqual([]);
    expect(await post(padded)).toBe(200);
    await eventually(async () => expect(await messages()).toMatchObject([{ text: 'Again.' }]));
  },
);
