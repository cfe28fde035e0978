import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fullTest } from '#libs/testing';
import { createTransport } from 'nodemailer';
import { MailCatcher } from './client.js';
import { Mailbox } from './mailbox.js';

let mail: MailCatcher;
beforeAll(async () => {
  mail = await MailCatcher.start();
});
afterAll(() => mail?.stop());

const pageAt = async (path: string) => (await fetch(new URL(path, mail.url))).text();

test('the page shows encoded subjects and names as people wrote them', async () => {
  await createTransport(mail.smtpUrl).sendMail({
    from: { name: 'Müller & Söhne', address: 'shop@example.com' },
    to: { name: 'Ana Sá <b>', address: 'ana@example.com' },
    replyTo: { name: '日本', address: 'reply@example.com' },
    subject:
      'Größe: 10 €, ' + 'ein langer Betreff, der über mehrere Zeilen geht, mit Umlauten wie ä, ö und ü',
    text: 'Hello.',
  });
  const opened = await mail.newest({ to: 'ana@example.com' });
  // The stored header is still encoded.
  expect(opened.headers.find(({ name }) => name === 'subject')?.value).toContain('=?UTF-8?');
  expect(await pageAt('/')).toContain('Größe: 10 €, ein langer');
  const page = await pageAt(`/mails/${opened.id}`);
  const shown = page.slice(0, page.indexOf('The whole message'));
  expect(shown).not.toContain('=?UTF-8?');
  expect(shown).toContain('<dd>Müller &#38; Söhne &#60;shop@example.com&#62;</dd>');
  expect(shown).toContain('日本');
  expect(shown).not.toContain('<b>');
});

test('the page of a mail without a subject has a title', async () => {
  await createTransport(mail.smtpUrl).sendMail({
    from: 'a@example.com',
    to: 'none@example.com',
    text: 'Hello.',
  });
  const { id } = await mail.newest({ to: 'none@example.com' });
  const page = await pageAt(`/mails/${id}`);
  expect(page).toContain('<title>(no subject) – Mail catcher</title>');
  expect(page).toContain('<h1>(no subject)</h1>');
});

test('the page of a mail that has been deleted says so', async () => {
  await createTransport(mail.smtpUrl).sendMail({
    from: 'a@example.com',
    to: 'gone@example.com',
    text: 'Hello.',
  });
  const { id } = await mail.newest({ to: 'gone@example.com' });
  await mail.clear();
  const answer = await fetch(new URL(`/mails/${id}`, mail.url));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await answer.text()).toContain('<h1>No such mail</h1>');
});

test('after a restart, a forwarded mail still has the sender and recipient of its last delivery', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailbox-'));
  try {
    const forwarded =
      'Return-Path: first@example.com\r\nDelivered-To: old@example.com\r\nSubject: Hi\r\n\r\nHello.';
    const open = () => new Mailbox(folder, () => undefined);
    await open().add('ada@example.com', 'ben@example.com', Buffer.from(forwarded));
    const mailbox = open();
    await mailbox.load();
    expect(mailbox.list()).toMatchObject([{ from: 'ada@example.com', to: 'ben@example.com' }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

fullTest(
  'while the catcher runs, the folder keeps only the newest 1000 mails; older ones are listed, but cannot be read',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mailbox-'));
    const mailbox = new Mailbox(folder, (error) => {
      throw error;
    });
    await mailbox.load();
    for (let index = 0; index <= 1_000; index++)
      await mailbox.add('a@example.com', 'b@example.com', Buffer.from(`Subject: ${index}\r\n\r\nHello.`));
    const files = readdirSync(folder).join(' ');
    const mails = mailbox.list();
    expect(files.split(' ')).toHaveLength(1_000);
    expect(mails.filter(({ id }) => !files.includes(id)).map(({ subject }) => subject)).toEqual(['0']);
    expect(await mailbox.read(mails.at(-1)!.id)).toBeUndefined();
    rmSync(folder, { recursive: true });
  },
);
