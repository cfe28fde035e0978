import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { customizableMails, fixedMails } from '#libs/contracts';
import { eventually, TestBrowser, testStack } from '#libs/testing';
import { MailCatcher } from '../../dev/stand-ins/mail/client.js';
import { findFaults, findSidewaysScroll } from './faults.js';
import { openPageAsAdmin } from './person.js';
import { visit, waitUntilSettled } from './visit.js';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

/** The screen of a mail template that no other spec changes. */
const path = '/setting/mailText/orderPaymentFailed';
const defaultText =
  'PayPal couldn’t complete your pending payment for order {orderNumber}, and no money was taken. {nextStep}';
const templateRow = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

test('every e-mail of the site is listed with its state, and none can be moved or deleted', async () => {
  const { page } = await openPageAsAdmin(browser, { width: 1280, height: 900 });
  await visit(page, '/setting/mailText');
  const names = (await page.locator('.mail-template h3').allTextContents()).toSorted();
  expect(names).toEqual([...Object.values(customizableMails), ...Object.values(fixedMails)].toSorted());
  await templateRow(page, 'Order placed').getByText('On', { exact: true }).waitFor();
  await templateRow(page, 'Newsletter confirmation').getByText('Always on').waitFor();
  await templateRow(page, 'Reset password').getByText('Always on').waitFor();
  expect(await page.getByRole('button', { name: /^(Move|Delete)/ }).count()).toBe(0);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await findSidewaysScroll(page)).toEqual([]);
});

test('the text of an e-mail is edited (a placeholder is inserted by keyboard), previewed, sent as a test, saved and reset, and the e-mail is switched off and on', async () => {
  const mail = MailCatcher.at(testStack().mail!.url);
  const { page } = await openPageAsAdmin(browser, { width: 1280, height: 900 });
  await visit(page, path);
  await page.getByRole('heading', { name: 'Order payment failed', level: 1 }).waitFor();
  const text = page.getByRole('textbox', { name: 'Text' });
  expect(await text.inputValue()).toBe(defaultText);
  const frame = page.frameLocator('iframe[title="E-mail preview"]');
  await frame.getByText('You can try again, for example with another card.').waitFor();
  expect(await findFaults(page)).toEqual([]);

  await text.fill('Dear customer of ');
  const placeholder = page.getByRole('button', { name: 'Insert {siteName}' });
  await placeholder.focus();
  await page.keyboard.press('Enter');
  await eventually(async () => expect(await text.inputValue()).toBe('Dear customer of {siteName}'));
  await frame.getByText(/^Dear customer of [^{]+$/).waitFor();

  await page.getByRole('button', { name: 'Send a test to me' }).click();
  const { email: to } = testStack().admin;
  await page.getByText(`Test sent to ${to}`).waitFor();
  const testMail = await eventually(() =>
    mail.newest({ to, subject: '[Test] Payment failed: order #1042, Premium' }),
  );
  expect(testMail.text).toContain('Dear customer of ');

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Mail Template is Updated').waitFor();
  await page.getByLabel('Send this e-mail').selectOption('No');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Not saved yet').waitFor({ state: 'detached' });
  await visit(page, '/setting/mailText');
  const row = templateRow(page, 'Order payment failed');
  await row.getByText('Off', { exact: true }).waitFor();
  await row.getByText('Edited').waitFor();

  await row.getByRole('link').click();
  await waitUntilSettled(page);
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await eventually(async () => expect(await text.inputValue()).toBe(defaultText));
  await page.getByLabel('Send this e-mail').selectOption('Yes');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Not saved yet').waitFor({ state: 'detached' });
  await visit(page, '/setting/mailText');
  await row.getByText('On', { exact: true }).waitFor();
  expect(await row.getByText('Edited').count()).toBe(0);

  await visit(page, path);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await findSidewaysScroll(page)).toEqual([]);
});

test('a mail template also opens at an address with its record’s id, and an unknown id shows an error', async () => {
  const { page, api } = await openPageAsAdmin(browser);
  const records = (await api.get<{ _id: string; mail: string }[]>('/mail-texts')).json;
  const record = records.find(({ mail }) => mail === 'Order refunded');
  await visit(page, `/setting/mailText/${record!._id}`);
  await page.getByRole('heading', { name: 'Order refunded', level: 1 }).waitFor();
  await visit(page, '/setting/mailText/nothing');
  await page.getByText('No mail template found').waitFor();
});

// Page titles follow the same rule as mail templates: one record for each page, which is neither moved nor deleted.
test('the title of a page cannot be moved, deleted or given to another page', async () => {
  const { page } = await openPageAsAdmin(browser);
  await visit(page, '/setting/pageTitle');
  expect(await page.getByRole('button', { name: /^(Move|Delete)/ }).count()).toBe(0);
  expect(await page.getByLabel('Sort').count()).toBe(0);
  await page.getByRole('link', { name: 'Pricing', exact: true }).last().click();
  await waitUntilSettled(page);
  await page.getByRole('heading', { name: 'Pricing', exact: true }).waitFor();
  expect(await page.getByLabel('Page', { exact: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
});
