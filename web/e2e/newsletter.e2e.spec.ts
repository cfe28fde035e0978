import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SubscriberImport, SubscriberRecord } from '#libs/contracts';
import { eventually, Session, TestBrowser, testStack, fullTest } from '#libs/testing';
import { MailCatcher } from '../../dev/stand-ins/mail/client.js';
import { findFaults } from './faults.js';
import { newPerson, openPageAsAdmin } from './person.js';
import { visit } from './visit.js';

const { url, mail: catcher, admin } = testStack();
const mail = MailCatcher.at(catcher!.url);

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

test('a visitor subscribes, confirms with the link in the mail, and unsubscribes', async () => {
  const { email } = newPerson();
  const api = await Session.signIn(url, admin);
  const record = async () => {
    const path = `/subscribers?search=${encodeURIComponent(email)}`;
    return (await api.get<SubscriberRecord[]>(path)).json[0]!;
  };
  expect((await Session.visitor(url).post('/add-subscriber', { email })).status).toBe(201);
  const { text } = await eventually(() => mail.newest({ to: email }));
  const link = new RegExp(`${url}/confirm-subscription\\?token=[\\w-]+`).exec(text)![0];

  // The pages that links in the mail open are not hydrated, so `visit` would wait in vain.
  const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  await page.goto('/');
  const consent = await page.locator('.newsletter__consent').textContent();
  await page.goto(link);
  await heading('Confirm your subscription');
  expect(await page.locator('blockquote').textContent()).toBe(consent);
  // Somebody else could open the link, so the page does not show the e-mail address.
  expect(await page.content()).not.toContain(email);
  expect(await findFaults(page)).toEqual([]);
  expect((await record()).status).toBe('pending');
  await page.getByRole('button', { name: 'Confirm subscription' }).click();
  await heading('You’re subscribed');
  expect(await record()).toMatchObject({ status: 'subscribed', consent: { source: 'form', text: consent } });

  await page.getByRole('link', { name: 'Unsubscribe' }).click();
  await heading('Unsubscribe');
  expect(await findFaults(page)).toEqual([]);
  expect((await record()).status).toBe('subscribed');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await heading('You’re unsubscribed');
  expect((await record()).status).toBe('unsubscribed');
  await page.goto(link);
  await heading('This link was already used');
});

fullTest('an admin imports a file, and sees the refused rows and the consent', async () => {
  const { page } = await openPageAsAdmin(browser);
  const mark = `${process.pid}-${Date.now()}`;
  await visit(page, '/all-subscriber');
  await page.getByRole('heading', { level: 2, name: 'Import subscribers' }).waitFor();
  await page.getByLabel('CSV file').setInputFiles({
    name: 'fair.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`email\nfair-${mark}@example.com\nnobody\n`),
  });
  await page.getByLabel('How and when did they consent?').fill('Signed a list at the fair');
  const answered = page.waitForResponse('**/subscribers/import?*');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  expect(((await (await answered).json()) as SubscriberImport).rows).toBe(2);
  await page.getByText('fair.csv imported: 1 added, 1 refused.').waitFor();
  const refused = page.getByRole('table', { name: 'Refused rows' });
  await refused.getByText('Not a valid e-mail address').waitFor();
  expect(await findFaults(page)).toEqual([]);

  await visit(page, `/all-subscriber?status=subscribed&search=fair-${mark}`);
  await page.getByRole('button', { name: `Details of fair-${mark}@example.com` }).click();
  const dialog = page.getByRole('dialog', { name: `Details of fair-${mark}@example.com` });
  await dialog.getByText('Signed a list at the fair').waitFor();
});
