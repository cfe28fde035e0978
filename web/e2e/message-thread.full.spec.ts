import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, TestBrowser, testStack } from '#libs/testing';
import { MailCatcher } from '../../dev/stand-ins/mail/client.js';
import { findFaults, findSidewaysScroll } from './faults.js';
import { openPageAsAdmin } from './person.js';
import { visit } from './visit.js';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test('an admin adds a note, replies to a message and marks it as not answered; the draft survives a reload, and the sender gets the reply without the note', async () => {
  const mail = MailCatcher.at(testStack().mail!.url);
  const to = `thread-${process.pid}@example.com`;
  const subject = `Thread ${process.pid}`;
  const { page, api } = await openPageAsAdmin(browser, { width: 1280, height: 900 });
  const body = { fullName: 'Ada Lovelace', emailAddress: to, subject, message: 'How much?' };
  expect((await api.post('/add-message', body)).status).toBe(201);
  await eventually(() => mail.newest({ to, subject: 'We’ve received your message' }));

  await visit(page, `/all-messages?search=${encodeURIComponent(subject)}&answered=no`);
  await page.getByRole('link', { name: 'View Message' }).click();
  const thread = page.getByRole('region', { name: 'Replies and notes' });
  const entries = thread.getByRole('listitem');

  await thread.getByRole('radio', { name: 'Note for staff' }).check();
  await thread.getByLabel('Your note').fill('Asked before.');
  await page.reload();
  expect(await thread.getByLabel('Your note').inputValue()).toBe('Asked before.');
  await thread.getByRole('button', { name: 'Add note' }).click();
  await entries.filter({ hasText: 'Asked before.' }).waitFor();

  await thread.getByLabel('Your reply').fill('From $29.\n\nShall we talk?');
  await thread.getByLabel('Your reply').press('Control+Enter');
  await page.getByRole('status').getByText('Reply sent').waitFor();
  await entries.filter({ hasText: 'From $29.' }).waitFor();
  expect(await thread.getByLabel('Your reply').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Mark as not answered' }).waitFor();

  const { text } = await eventually(() => mail.newest({ to, subject: `Re: ${subject}` }));
  expect(text).toContain('Shall we talk?');
  expect(text).toContain('> How much?');
  expect(text).not.toContain('Asked before.');
  await eventually(async () => {
    await page.reload();
    await entries
      .filter({ hasText: 'From $29.' })
      .getByText('Sent', { exact: true })
      .waitFor({ timeout: 5_000 });
  });
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await findSidewaysScroll(page)).toEqual([]);

  await visit(page, `/all-messages?search=${encodeURIComponent(subject)}&answered=yes`);
  await page
    .getByRole('table', { name: 'Read messages' })
    .getByText('Answered', { exact: true })
    .last()
    .waitFor();
  await page.getByRole('link', { name: 'View Message' }).click();
  await page.getByRole('button', { name: 'Mark as not answered' }).click();
  await page.getByRole('button', { name: 'Mark as answered' }).waitFor();
});
