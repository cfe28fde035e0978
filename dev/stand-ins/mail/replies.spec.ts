import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { MailCatcher } from './client.js';

const secret = 'a secret of at least thirty-two characters';
let mail: MailCatcher;
let site: Server;
let siteUrl: string;
interface Received {
  signature: string;
  body: Buffer;
  url: string;
}
let received: Received[] = [];

function isSignedWith(key: string, { signature, body }: Received): boolean {
  const [, moment, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!;
  return createHmac('sha256', key).update(`${moment}.`).update(body).digest('hex') === mac;
}

beforeAll(async () => {
  site = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signature = String(request.headers['mail-signature']);
      received.push({
        ...{ signature, body: Buffer.concat(chunks) },
        url: `http://${request.headers.host}${request.url}`,
      });
      response.end('{"received":true}');
    });
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  mail = await MailCatcher.start({ replySite: { siteUrl, secret } });
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  await mail?.stop();
  site.close();
});

async function catchMail() {
  await createTransport(mail.smtpUrl).sendMail({
    from: 'Northrank <hello@northrank.example>',
    to: 'ada@example.com',
    replyTo: 'reply+token@northrank.example',
    subject: 'New message',
    text: 'When do we start?',
  });
  return mail.newest({ to: 'ada@example.com' });
}

test('a reply reaches the site signed, comes from the recipient, goes to the reply address and quotes the mail', async () => {
  const { id } = await catchMail();
  expect(await mail.reply(id, { text: 'Tomorrow.', attachments: [{ name: 'a.txt', content: 'aGk=' }] })).toBe(
    200,
  );
  const [reply] = received as [Received];
  expect(isSignedWith(secret, reply)).toBe(true);
  expect(reply.url).toBe(`${siteUrl}/inbound-mail`);
  const { from, to, text, attachments } = await PostalMime.parse(reply.body);
  expect([from?.address, to?.[0]?.address]).toEqual(['ada@example.com', 'reply+token@northrank.example']);
  expect(text).toMatch(/^Tomorrow\.\n\nOn .* wrote:\n\n> When do we start\?/);
  expect(attachments).toMatchObject([{ filename: 'a.txt' }]);
});

test('a reply can have attachments of several megabytes', async () => {
  const { id } = await catchMail();
  const content = Buffer.alloc(3_000_000, 'a').toString('base64');
  expect(await mail.reply(id, { text: 'Here.', attachments: [{ name: 'a.txt', content }] })).toBe(200);
});

test('the page of a mail has a form for replies', async () => {
  const { id } = await catchMail();
  const page = await (await fetch(new URL(`/mails/${id}`, mail.url))).text();
  expect(page).toContain(`action="/mails/${id}/reply"`);
  const sent = await fetch(new URL(`/mails/${id}/reply`, mail.url), {
    method: 'POST',
    body: new URLSearchParams({ text: 'By the form.' }),
  });
  expect(await sent.text()).toContain('Reply sent to the site.');
  expect(received).toHaveLength(1);
});

test('the mail catcher says that nothing was sent if a mail has no address for replies', async () => {
  await createTransport(mail.smtpUrl).sendMail({ from: 'a@example.com', to: 'ben@example.com', text: 'Hi' });
  const { id } = await mail.newest({ to: 'ben@example.com' });
  const answer = await fetch(new URL(`/mails/${id}/reply`, mail.url), {
    method: 'POST',
    body: new URLSearchParams({ text: 'By the form.' }),
  });
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('Nothing was sent')]);
  expect(await mail.reply(id, { text: 'By the API.' })).toBe(404);
  expect(received).toEqual([]);
});

test('any raw message can be sent to the site, or to another site with its own secret', async () => {
  const raw = Buffer.from('From: a@example.com\r\n\r\nHi');
  expect(await mail.handOver(raw)).toBe(200);
  const otherUrl = siteUrl.replace('127.0.0.1', 'localhost');
  expect(await mail.handOver(raw, { siteUrl: otherUrl, secret: 'another' })).toBe(200);
  expect(received.map(({ body }) => body.equals(raw))).toEqual([true, true]);
  expect(received.map(({ url }) => url)).toEqual([siteUrl, otherUrl].map((at) => `${at}/inbound-mail`));
  expect(received.map((message) => isSignedWith(secret, message))).toEqual([true, false]);
  expect(received.map((message) => isSignedWith('another', message))).toEqual([false, true]);
});
