import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, MailCatcher, TestBrowser, testStack } from '#libs/testing';
import { faults, sidewaysScroll } from './look.js';
import { signedInAdmin } from './person.js';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test('a message reaches the admins by mail; they see what became of it, and send it again', async () => {
  const mail = MailCatcher.at(testStack().mail!.url);
  const subject = `Sent mail ${process.pid}`;
  const { page, api } = await signedInAdmin(browser, { width: 1280, height: 900 });
  const body = { fullName: 'Ada Lovelace', emailAddress: 'ada@example.com', subject, message: 'How much?' };
  expect((await api.post('/add-message', body)).status).toBe(201);
  const to = testStack().admin.email;
  const first = await eventually(() => mail.newest({ to, subject }));
  expect(first.headers.find(({ name }) => name === 'reply-to')?.value).toContain('<ada@example.com>');
  expect(first.text).toContain(`${testStack().url}/view/`);

  await page.goto(`/sent-mail?search=${encodeURIComponent(subject)}&state=sent`);
  const row = page.getByRole('row').filter({ hasText: to }).first();
  await row.getByText('250').waitFor();
  await row.getByText('Sent', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Mail is Sent Again').waitFor();
  await eventually(async () => expect(await mail.list({ to, subject })).toHaveLength(2));

  await page.goto('/sent-mail');
  await page.getByText('Mail is on').waitFor();
  await page.getByRole('row').nth(1).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await sidewaysScroll(page)).toEqual([]);
});
