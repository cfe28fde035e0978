import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Order } from '#libs/contracts';
import { eventually, Session, TestBrowser, testStack, fullTest } from '#libs/testing';
import { findFaults } from './faults.js';
import { placeOrdersAndListScreens } from './order-screens.js';
import { getPackage, newPerson, openPageAs, openTab, pathOf, placeOrder } from './person.js';
import { visit, waitUntilSettled } from './visit.js';

const { url, admin } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

const details = {
  'Your name': 'Ada Lovelace',
  Address: '12 St James’s Square, London',
  Country: 'United Kingdom',
};

async function fill(page: Page, values: Record<string, string> = details): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
}

const placeOrderButton = (page: Page) => page.getByRole('button', { name: 'Place Order Now' });
const errors = (page: Page) => page.locator('.field__error').allTextContents();
const ordersOf = async (api: Session) => (await api.get<Order[]>('/orders?own=true')).json;

async function atOrderForm(packageName = 'Premium') {
  const person = newPerson();
  const customer = await openPageAs(browser, person);
  const { _id: packageId } = await getPackage(packageName);
  await visit(customer.page, `/order-now/${packageId}`);
  return { ...customer, person, packageId };
}

describe('ordering a package', () => {
  test('takes a visitor through registration, back to the chosen package, and to the placed order', async () => {
    const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
    const person = newPerson();
    await visit(page, '/pricing/');
    await page.getByRole('link', { name: 'Order Premium' }).click();
    await page.waitForURL('**/login');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Welcome! Register to continue' }).waitFor();
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { level: 1, name: 'SEO Plan' }).waitFor();
    expect(pathOf(page)).toBe(`/order-now/${(await getPackage('Premium'))._id}`);
    expect(await page.getByRole('textbox', { name: 'Plan' }).inputValue()).toBe('Premium');
    expect(await page.getByLabel('Price').inputValue()).toBe('990.00');
    const email = page.getByLabel('E-mail');
    expect(await email.inputValue()).toBe(person.email);
    expect(await email.isEditable()).toBe(false);

    await placeOrderButton(page).click();
    expect(await errors(page)).toEqual([
      'Please enter your name',
      'Please enter your address',
      'Please enter your country',
    ]);
    await page.getByText('By placing your order, you accept the Terms of service').waitFor();
    await fill(page);
    await placeOrderButton(page).click();
    await page.waitForURL('**/pending-order');
    await page.getByRole('heading', { level: 1, name: 'Your Pending Orders' }).waitFor();
    await page
      .getByRole('status')
      .getByText(/^Your order #\d+ for Premium has been placed/)
      .waitFor();
    expect(await page.getByRole('row').nth(1).innerText()).toContain('Ada Lovelace');
    const api = await Session.signIn(url, person);
    expect(await ordersOf(api)).toMatchObject([
      {
        packageName: 'Premium',
        packagePrice: '990.00',
        customerEmail: person.email,
        customerName: 'Ada Lovelace',
        paymentStatus: 'UnPaid',
        orderStatus: 'Pending',
      },
    ]);
  });

  test('places one order despite a lost response and a double click', async () => {
    const { page, api } = await atOrderForm();
    await fill(page);
    await page.route(
      '**/new-order',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await placeOrderButton(page).click();
    await page.getByRole('alert').getByText('can’t reach the site').waitFor();
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Lovelace');
    await placeOrderButton(page).dblclick();
    await page.waitForURL('**/pending-order');
    expect(await ordersOf(api)).toHaveLength(1);
  });

  fullTest('places one order for two tabs with equal values, and another for different values', async () => {
    const { page, api, packageId } = await atOrderForm();
    const tabs = [
      await openTab(page, `/order-now/${packageId}`),
      await openTab(page, `/order-now/${packageId}`),
    ];
    for (const tab of [page, ...tabs]) await fill(tab);
    await tabs[1]!.getByLabel('Address').fill('Somewhere else');
    await Promise.all([placeOrderButton(page).click(), placeOrderButton(tabs[0]!).click()]);
    await Promise.all([page, tabs[0]!].map((tab) => tab.waitForURL('**/pending-order')));
    expect(await ordersOf(api)).toHaveLength(1);
    await placeOrderButton(tabs[1]!).click();
    await tabs[1]!.waitForURL('**/pending-order');
    expect(await ordersOf(api)).toHaveLength(2);
  });

  fullTest('lets the same package be ordered again, with prefilled details', async () => {
    const { page, api, packageId } = await atOrderForm();
    await fill(page, { ...details, Address: '12 St James’s Square\nLondon' });
    await placeOrderButton(page).click();
    await page.waitForURL('**/pending-order');
    await visit(page, `/order-now/${packageId}`);
    // The form joins the lines of an address with commas.
    expect(await page.getByLabel('Address').inputValue()).toBe('12 St James’s Square, London');
    await placeOrderButton(page).click();
    await page.waitForURL('**/pending-order');
    expect(await ordersOf(api)).toHaveLength(2);
  });

  test('shows a changed price before it places the order at that price, also when ordering again', async () => {
    const { page, api, packageId } = await atOrderForm('Standard');
    const old = await placeOrder(api, 'Standard');
    await api.put(`/order-cancelled/${old._id}`, { paymentStatus: 'Cancelled' });
    const newOrders = async () => (await ordersOf(api)).filter(({ _id }) => _id !== old._id);
    const adminApi = await Session.signIn(url, admin);
    const stored = await adminApi.get<Record<string, unknown>>(`/pricing/${packageId}`);
    const setPrice = (packagePrice: string) =>
      adminApi.put(`/pricing/${packageId}`, { ...stored.json, packagePrice });
    // The orders of this customer succeed as soon as the orders service knows the new price.
    const buyer = await Session.register(url, newPerson());
    await fill(page);
    try {
      await setPrice('605.50');
      await eventually(() => placeOrder(buyer, 'Standard', { packagePrice: '605.50' }));
      await placeOrderButton(page).click();
      await page.getByRole('alert').getByText('Standard now costs $605.50 a month, not $590').waitFor();
      await eventually(async () => expect(await page.getByLabel('Price').inputValue()).toBe('605.50'));
      expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Lovelace');
      expect(await newOrders()).toEqual([]);
      await placeOrderButton(page).click();
      await page.waitForURL('**/pending-order');
      expect(await newOrders()).toMatchObject([{ packageName: 'Standard', packagePrice: '605.50' }]);
      await page.locator('tbody').getByRole('button', { name: 'Order again' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Standard costs $605.50 a month now.').waitFor();
      expect(await newOrders()).toHaveLength(1);
      await dialog.getByRole('button', { name: 'Order at $605.50' }).click();
      await page.waitForURL(/\/pay-now\//);
      expect(await newOrders()).toMatchObject([{ packagePrice: '605.50' }, { packagePrice: '605.50' }]);
    } finally {
      await setPrice('590.00');
      await eventually(() => placeOrder(buyer, 'Standard', { packagePrice: '590.00' }));
    }
  });

  fullTest('keeps the typed values when the session has ended', async () => {
    const { page, api, person } = await atOrderForm();
    await fill(page);
    await page.context().clearCookies();
    await placeOrderButton(page).click();
    await page.waitForURL('**/login');
    await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor();
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByRole('heading', { level: 1, name: 'SEO Plan' }).waitFor();
    expect(await page.getByLabel('Address').inputValue()).toBe('12 St James’s Square, London');
    await placeOrderButton(page).click();
    await page.waitForURL('**/pending-order');
    expect(await ordersOf(api)).toHaveLength(1);
  });

  fullTest('works by keyboard only', async () => {
    const { page, api } = await atOrderForm();
    await page.getByLabel('E-mail').focus();
    for (const text of Object.values(details)) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/pending-order');
    expect(await ordersOf(api)).toMatchObject([{ customerCountry: 'United Kingdom' }]);
  });

  fullTest('says that a package does not exist', async () => {
    const { page } = await openPageAs(browser, newPerson());
    for (const id of ['0190a5f4-5c1e-7000-8000-000000000009', 'nonsense']) {
      await visit(page, `/order-now/${id}`);
      await page.getByRole('heading', { level: 1, name: 'This plan isn’t available' }).waitFor();
    }
  });
});

describe('the dashboard', () => {
  test('lists the customer’s orders, three to a page, and the total spent', async () => {
    const { page, api } = await openPageAs(browser, newPerson());
    for (let count = 0; count < 4; count += 1) await placeOrder(api);
    const adminApi = await Session.signIn(url, admin);
    const [newest] = await ordersOf(api);
    await adminApi.put(`/order/${newest!._id}`, { paymentStatus: 'Paid' });
    await visit(page, '/dashboard');
    await page.getByRole('heading', { level: 1, name: 'Welcome to User Dashboard' }).waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'Sl No',
      'Order Date',
      'Your Name',
      'Order Status',
      'Payment Status',
    ]);
    const cards = page.getByRole('list', { name: 'Overview' }).getByRole('link');
    expect(await cards.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      '/my-order',
      '/',
      '/contact',
    ]);
    await eventually(async () => {
      await page.reload();
      await waitUntilSettled(page);
      expect(await cards.allInnerTexts()).toEqual([
        expect.stringContaining('4'),
        expect.stringContaining('$290.00'),
        expect.stringContaining('Support'),
      ]);
    });
    const rows = page.locator('tbody tr');
    await rows.nth(2).waitFor();
    expect(await rows.count()).toBe(3);
    expect(await rows.first().innerText()).toContain('You Have Paid');
    expect(await rows.nth(1).getByRole('link', { name: 'Pay Now' }).count()).toBe(1);
    const [previous, next] = ['Previous', 'Next'].map((name) => page.getByRole('button', { name }));
    expect([await previous!.isDisabled(), await next!.isDisabled()]).toEqual([true, false]);
    await next!.click();
    await page.getByText('Page 2 of 2').waitFor();
    await page.locator('tbody tr').getByText('4', { exact: true }).waitFor();
    expect([await previous!.isDisabled(), await next!.isDisabled()]).toEqual([false, true]);
  });

  fullTest('says ‘Error fetching orders’, and succeeds at the second attempt', async () => {
    const { page, api } = await openPageAs(browser, newPerson());
    await placeOrder(api);
    await page.route('**/orders?*', (route) => route.abort(), { times: 1 });
    await page.goto('/dashboard');
    const alert = page.getByRole('alert').filter({ hasText: 'Error fetching orders' });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Pay Now' }).waitFor();
    expect(await alert.count()).toBe(0);
  });

  fullTest('signs the customer out', async () => {
    const { page } = await openPageAs(browser, newPerson());
    await visit(page, '/dashboard');
    await page.getByRole('button', { name: 'Signout' }).click();
    await page.locator('.header__nav').getByRole('link', { name: 'Login' }).waitFor();
  });
});

describe('an order that the customer cancels', () => {
  test('is shown as cancelled on the dashboard, and a double click orders it again only once', async () => {
    const { page, api } = await openPageAs(browser, newPerson());
    const { _id } = await placeOrder(api);
    await page.goto(`/order-cancelled/${_id}`);
    await page.getByRole('heading', { level: 1, name: 'You have cancelled the payment' }).waitFor();
    await page.waitForURL('**/dashboard');
    const row = page.locator('tbody tr').first();
    await row.getByText('You Have Cancelled').waitFor();
    expect(await page.getByRole('link', { name: 'Pay Now' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Order again' }).dblclick();
    await page.waitForURL(/\/pay-now\//);
    await page.getByRole('heading', { level: 1, name: 'Pay Now' }).waitFor();
    const [reordered, cancelled, ...more] = await ordersOf(api);
    expect(more).toEqual([]);
    expect(cancelled).toMatchObject({ _id, paymentStatus: 'Cancelled' });
    expect(reordered).toMatchObject({ packageName: 'Basic', customerName: 'Ada Lovelace', payable: true });
    expect(pathOf(page)).toBe(`/pay-now/${reordered!._id}`);
  });

  fullTest('stays paid if it was paid', async () => {
    const { page, api } = await openPageAs(browser, newPerson());
    const { _id } = await placeOrder(api);
    const adminApi = await Session.signIn(url, admin);
    await adminApi.put(`/order/${_id}`, { paymentStatus: 'Paid' });
    await page.goto(`/order-cancelled/${_id}`);
    await page.getByRole('heading', { level: 1, name: 'You Have Paid' }).waitFor();
    expect((await api.get<Order>(`/order/${_id}`)).json.paymentStatus).toBe('Paid');
  });

  fullTest('is cancelled at the second attempt, after ‘Payment update failed.’', async () => {
    const { page, api } = await openPageAs(browser, newPerson());
    const { _id } = await placeOrder(api);
    await page.route(`**/order-cancelled/${_id}`, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await page.goto(`/order-cancelled/${_id}`);
    await page.getByText('Payment update failed.').waitFor();
    await page.unroute(`**/order-cancelled/${_id}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL('**/dashboard');
    expect((await api.get<Order>(`/order/${_id}`)).json.paymentStatus).toBe('Cancelled');
  });
});

fullTest('an order does not exist for other customers', async () => {
  const owner = await Session.register(url, newPerson());
  const { _id } = await placeOrder(owner);
  const { page } = await openPageAs(browser, newPerson());
  for (const path of ['pay-now', 'order-cancelled', 'received-payment']) {
    await visit(page, `/${path}/${_id}`);
    await page.getByRole('heading', { level: 1, name: 'Order not found' }).waitFor();
  }
  expect((await owner.get<Order>(`/order/${_id}`)).json.paymentStatus).toBe('UnPaid');
});

fullTest('no screen for ordering and paying has faults on a phone, in light and dark', async () => {
  const { page, api } = await openPageAs(browser, newPerson(), { width: 390 });
  for (const path of await placeOrdersAndListScreens(api)) {
    await visit(page, path);
    expect({ path, faults: await findFaults(page) }).toEqual({ path, faults: [] });
  }
});
