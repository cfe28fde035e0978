import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Customer } from '#libs/contracts';
import { eventually, Session, TestBrowser, testStack } from '#libs/testing';
import { findFaults } from './faults.js';
import { newPerson, openPageAsAdmin, placeOrder } from './person.js';
import { visit } from './visit.js';

const { url } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

async function aCustomer(admin: Session) {
  const api = await Session.register(url, newPerson());
  const name = `Grace ${process.pid}${Date.now()}`;
  const paidOrder = await placeOrder(api, 'Premium', { customerName: name });
  await placeOrder(api, 'Basic', { customerName: name });
  await admin.put(`/order/${paidOrder._id}`, { paymentStatus: 'Paid' });
  const subject = `About ${name}`;
  await api.post('/add-message', {
    fullName: name,
    emailAddress: api.email,
    subject,
    message: 'How much?',
  });
  const id = await eventually(async () => {
    const { json } = await admin.get<Customer[]>(`/customers?search=${encodeURIComponent(name)}`);
    expect(json).toMatchObject([{ orders: 2, spent: paidOrder.packagePrice }]);
    return json[0]!._id;
  });
  return { api, name, subject, id, paidOrder };
}

test('a customer is found by name, and their profile opens by keyboard with orders, messages, newsletter and notes', async () => {
  const { page, api: admin } = await openPageAsAdmin(browser, { width: 1280, height: 900 });
  const { api, name, subject } = await aCustomer(admin);
  await visit(page, '/customers');
  await page.getByRole('searchbox', { name: 'Search' }).fill(name);
  await page.getByText('1 customer found', { exact: true }).waitFor();
  const row = page.getByRole('row').filter({ hasText: name });
  expect(await row.innerText()).toContain('$990.00');
  expect(await findFaults(page)).toEqual([]);
  await row.getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name }).waitFor();

  const orders = page.getByRole('table', { name: 'Orders and payments' }).getByRole('row');
  await orders.filter({ hasText: 'Premium' }).getByText('Paid', { exact: true }).waitFor();
  await page
    .getByRole('table', { name: `Messages from ${api.email}` })
    .getByRole('link', { name: subject })
    .waitFor();
  await page.getByRole('region', { name: 'Account' }).getByText('Not confirmed').waitFor();
  await page.getByRole('region', { name: 'Newsletter' }).getByText('Not subscribed.').waitFor();
  const notes = page.getByRole('region', { name: 'Staff notes' });
  await notes.getByLabel('New note').fill('Prefers to be called.');
  await notes.getByLabel('New note').press('Control+Enter');
  await notes.getByRole('listitem').getByText('Prefers to be called.').waitFor();
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await findFaults(page)).toEqual([]);
});

test('orders and messages link to the customer, and the profile links back', async () => {
  const { page, api: admin } = await openPageAsAdmin(browser, { width: 390, height: 844 });
  const { name, subject, id, paidOrder } = await aCustomer(admin);
  await admin.post(`/order/${paidOrder._id}/note`, { text: 'Wants the report by Friday.' });
  await visit(page, `/admin/payment-status/${paidOrder._id}`);
  await page.getByRole('link', { name, exact: true }).click();
  await page.waitForURL(`**/customer/${id}`);
  const note = page.getByRole('listitem').filter({ hasText: 'Wants the report by Friday.' });
  await note.getByRole('link', { name: `#${paidOrder.number}` }).click();
  await page.waitForURL(`**/admin/payment-status/${paidOrder._id}`);
  await visit(page, `/all-messages?search=${encodeURIComponent(subject)}`);
  await page.getByRole('link', { name: 'View Message' }).click();
  await page.getByRole('link', { name, exact: true }).click();
  await page.waitForURL(`**/customer/${id}`);
});

test('a part of the profile that cannot be loaded shows an error, and the other parts are shown', async () => {
  const { page, api: admin } = await openPageAsAdmin(browser);
  const { id, subject } = await aCustomer(admin);
  await page.route('**/customer/*/account', (route) => route.abort());
  await visit(page, `/customer/${id}`);
  const account = page.getByRole('region', { name: 'Account' });
  await account.getByRole('alert').waitFor();
  await page.getByRole('link', { name: subject }).waitFor();
  await page.unroute('**/customer/*/account');
  await account.getByRole('button', { name: 'Try again' }).click();
  await account.getByText('Registered').waitFor();
});

test('an unknown customer is not found', async () => {
  const { page } = await openPageAsAdmin(browser);
  await visit(page, '/customer/019a0000-0000-7000-8000-00000000dead');
  await page.getByText('Customer not found').waitFor();
  await page.getByRole('link', { name: 'All customers' }).click();
  await page.waitForURL('**/customers');
});
