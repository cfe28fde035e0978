import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoDomain } from '#libs/contracts';
import { Session, TestBrowser, testStack } from '#libs/testing';
import { findFaults } from './faults.js';
import { openPageAsAdmin, placeOrder } from './person.js';
import { visit } from './visit.js';

const { url } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

test('demo data is marked, and can be removed from the dashboard with the keyboard, after a dialog that says what will be removed', async () => {
  const { page } = await openPageAsAdmin(browser, { width: 390, height: 844 });
  const email = `amara.${process.pid}@${demoDomain}`;
  const person = await Session.register(url, { email, password: 'a fine long password' });
  const { _id } = await placeOrder(person);
  await visit(page, `/total-orders?search=${email}`);
  await page.getByRole('cell').getByText('Demo', { exact: true }).waitFor();
  expect(await findFaults(page)).toEqual([]);

  await visit(page, '/admin');
  const callout = page.getByRole('region', { name: 'You’re looking at demo data' });
  await callout.getByText(/1 order and 1 customer/).waitFor();
  expect(await findFaults(page)).toEqual([]);
  await callout.getByRole('button', { name: 'Remove demo data' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remove demo data?' });
  await dialog.getByText(/1 order and 1 customer will be permanently removed/).waitFor();
  expect(await findFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove demo data' }).press('Enter');
  await page.getByRole('status').getByText('Demo data removed').waitFor();
  await callout.waitFor({ state: 'detached' });
  await visit(page, `/admin/payment-status/${_id}`);
  await page.getByText('Record not found').waitFor();
});
