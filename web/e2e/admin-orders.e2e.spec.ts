import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { Mail, Order, PaypalEmail } from '#libs/contracts';
import { eventually, Session, TestBrowser, testStack, fullTest } from '#libs/testing';
import { findFaults } from './faults.js';
import { newPerson, openPageAs, openPageAsAdmin, placeOrder } from './person.js';
import { visit, waitUntilSettled } from './visit.js';

const { url } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

const seeToast = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();

async function ordersOfNewCustomer(packages: readonly string[]) {
  const customer = await Session.register(url, newPerson());
  const customerName = `Grace ${process.pid}${Date.now()}`;
  const orders: Order[] = [];
  for (const name of packages) orders.push(await placeOrder(customer, name, { customerName }));
  return { customer, customerName, orders };
}

describe('the list of all orders', () => {
  test('has the documented columns, five orders a page', async () => {
    const { customerName } = await ordersOfNewCustomer([...Array<string>(5).fill('Basic'), 'Premium']);
    const { page } = await openPageAsAdmin(browser);
    await visit(page, `/total-orders?search=${encodeURIComponent(customerName)}`);
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Select',
      'SL',
      'Order Date',
      'Customer Name',
      'Customer Email',
      'Package',
      'Price',
      'Order Status',
      'Payment Status',
      'Payment Method',
      'Edit Status',
    ]);
    const rows = page.locator('tbody tr');
    expect(await rows.count()).toBe(5);
    const newest = (await rows.first().innerText()).split(/\s*[\t\n]\s*/);
    expect(newest).toEqual(expect.arrayContaining(['$990.00', 'Pending', 'UnPaid', 'PayPal']));
  });

  fullTest('is opened by a search for an order’s number, and shows only this order', async () => {
    const { orders } = await ordersOfNewCustomer(['Basic', 'Premium']);
    const number = `#${orders[0]!.number}`;
    const { page } = await openPageAsAdmin(browser);
    await visit(page, '/admin');
    await page.locator('tbody').getByText(number, { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Find a screen' }).first().fill(number);
    await page.getByRole('option', { name: 'in orders' }).click();
    await page.getByText('1 order found', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit Status' }).click();
    await page.getByRole('heading', { name: `Order ${number}`, exact: true }).waitFor();
  });

  test('changes several orders together, and lists those that cannot be changed, with the reasons', async () => {
    const { customerName, customer, orders } = await ordersOfNewCustomer(['Basic', 'Basic', 'Premium']);
    await customer.put(`/order-cancelled/${orders[0]!._id}`, { paymentStatus: 'Cancelled' });
    const { page } = await openPageAsAdmin(browser);
    await visit(page, `/total-orders?search=${encodeURIComponent(customerName)}`);
    await page.getByText('3 orders found', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space');
    await page.getByText('3 selected').waitFor();
    await page.getByLabel('Status to set').selectOption('Paid');
    await page.getByRole('button', { name: 'Set status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set 3 orders to Paid?' });
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await dialog.getByRole('alert').getByText('Enter a reason first.').waitFor();
    await dialog.getByLabel('Reason').fill('Both paid in cash.');
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await page.getByRole('status').getByText('PaymentStatus is Updated: 2 orders').waitFor();
    await page.getByText('1 of 3 unchanged:').waitFor();
    await page.getByText('Cancelled orders are skipped: review the payment first.').waitFor();
    // The order that could not be changed stays selected.
    await page.getByText('1 selected').waitFor();
    const statuses = await Promise.all(
      orders.map(async ({ _id }) => (await customer.get<Order>(`/order/${_id}`)).json.paymentStatus),
    );
    expect(statuses).toEqual(['Cancelled', 'Paid', 'Paid']);
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });

  test('can be searched, filtered and sorted, and the address keeps these choices', async () => {
    const { customerName, customer, orders } = await ordersOfNewCustomer(['Basic', 'Premium', 'Basic']);
    await customer.put(`/order-cancelled/${orders[0]!._id}`, { paymentStatus: 'Cancelled' });
    const { page } = await openPageAsAdmin(browser);
    await visit(page, '/total-orders');
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill(customerName);
    await page.getByText('3 orders found', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Price' }).click();
    const prices = page.locator('tbody td[data-head=Price]');
    await page.locator('tbody tr:first-child').getByText('$990.00').waitFor();
    expect(await prices.allInnerTexts()).toEqual(['$990.00', '$290.00', '$290.00']);
    await page.getByRole('button', { name: 'Price' }).click();
    await page.locator('tbody tr:first-child').getByText('$290.00').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Price' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await page.getByLabel('Payment status', { exact: true }).selectOption('UnPaid');
    await page.getByText('2 orders found', { exact: true }).waitFor();
    await page.reload();
    await waitUntilSettled(page);
    expect(await search.inputValue()).toBe(customerName);
    expect(await prices.allInnerTexts()).toEqual(['$290.00', '$990.00']);
    await search.fill('nobody has this name');
    await page.getByText('No matching orders').waitFor();
    await page.getByRole('button', { name: 'Show all' }).first().click();
    await page.waitForURL('**/total-orders?sort=packagePrice&direction=asc');
    await eventually(async () => expect(await search.inputValue()).toBe(''));
  });
});

describe('one order', () => {
  test('is updated with the documented toasts, and shows its timeline', async () => {
    const { orders, customerName } = await ordersOfNewCustomer(['Basic']);
    const { _id } = orders[0]!;
    const { page, api } = await openPageAsAdmin(browser);
    await visit(page, `/total-orders?search=${encodeURIComponent(customerName)}`);
    await page.getByRole('link', { name: 'Edit Status' }).click();
    await page.waitForURL(`**/admin/payment-status/${_id}`);
    // The list has fields with the same names, and is still visible for a moment.
    const payment = page.getByRole('form', { name: 'Update Payment Status' });
    await payment.getByRole('combobox').selectOption('Paid');
    await payment.getByRole('button').click();
    expect(await payment.getByLabel('Reason').evaluate((field) => field.matches(':focus:invalid'))).toBe(
      true,
    );
    await payment.getByLabel('Reason').fill('Paid by bank transfer.');
    await payment.getByRole('button').click();
    await seeToast(page, 'PaymentStatus is Updated');
    expect(await payment.getByLabel('Reason').inputValue()).toBe('');
    const orderForm = page.getByRole('form', { name: 'Update Order Status' });
    await orderForm.getByRole('combobox').selectOption('Delivered');
    await orderForm.getByRole('button').click();
    await seeToast(page, 'OrderStatus is Updated');
    expect((await api.get<Order>(`/order/${_id}`)).json).toMatchObject({
      paymentStatus: 'Paid',
      orderStatus: 'Delivered',
    });
    const timeline = page.locator('.timeline');
    await timeline
      .getByText(/Delivered/)
      .first()
      .waitFor();
    expect(await timeline.innerText()).toContain(api.email!);
    expect(await timeline.innerText()).toContain('Reason: Paid by bank transfer.');
  });

  fullTest('shows what became of its e-mails, keeps an unsaved note, and adds it by keyboard', async () => {
    const { page, api } = await openPageAsAdmin(browser);
    // Mails about orders go only to verified addresses, so the admin places this order.
    const { _id } = await placeOrder(api);
    await eventually(async () => {
      const { json } = await api.get<Mail[]>(`/mails?about=${_id}`);
      expect(json.find(({ template }) => template === 'orderPlaced')).toMatchObject({ state: 'sent' });
    });
    await visit(page, `/admin/payment-status/${_id}`);
    const mails = page.getByRole('table', { name: 'E-mails about this order' });
    const received = mails.getByRole('row').filter({ hasText: /Order #\d+ received/ });
    await received.getByText('Sent', { exact: true }).waitFor();
    expect(await received.innerText()).toContain(api.email!);
    const notes = page.getByRole('region', { name: 'Staff notes' });
    await notes.getByLabel('New note').fill('Wants the report by Friday.');
    await page.reload();
    expect(await notes.getByLabel('New note').inputValue()).toBe('Wants the report by Friday.');
    await notes.getByLabel('New note').press('Control+Enter');
    await seeToast(page, 'Note added');
    const note = notes.getByRole('listitem').filter({ hasText: 'Wants the report by Friday.' });
    expect(await note.innerText()).toContain(api.email!);
    expect(await notes.getByLabel('New note').inputValue()).toBe('');
    expect(await findFaults(page)).toEqual([]);
  });

  fullTest('has its details above the controls on a phone', async () => {
    const { page, api } = await openPageAsAdmin(browser, { width: 390, height: 844 });
    const { _id, number } = await placeOrder(api);
    await visit(page, `/admin/payment-status/${_id}`);
    expect(await page.title()).toMatch(new RegExp(`^Order #${number} \\|`));
    const top = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())!.y;
    const tops = await Promise.all(
      [`Order #${number}`, 'Update Payment Status', 'Staff notes', 'Timeline'].map(top),
    );
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(await findFaults(page)).toEqual([]);
  });

  fullTest('is updated by keyboard', async () => {
    const { orders } = await ordersOfNewCustomer(['Basic']);
    const { page, api } = await openPageAsAdmin(browser);
    await visit(page, `/admin/payment-status/${orders[0]!._id}`);
    await page.getByRole('combobox', { name: 'Order status' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await seeToast(page, 'OrderStatus is Updated');
    expect((await api.get<Order>(`/order/${orders[0]!._id}`)).json.orderStatus).toBe('Delivered');
  });

  fullTest('that has changed since it was opened is updated only after its new status is shown', async () => {
    const { orders, customer } = await ordersOfNewCustomer(['Basic']);
    const { _id } = orders[0]!;
    const { page, api } = await openPageAsAdmin(browser);
    await visit(page, `/admin/payment-status/${_id}`);
    await customer.put(`/order-cancelled/${_id}`, { paymentStatus: 'Cancelled' });
    await page.getByRole('combobox', { name: 'Order status' }).selectOption('Delivered');
    await page.getByRole('button', { name: 'Update Order Status' }).click();
    await page
      .getByRole('alert')
      .getByText('Its payment status is now Cancelled, and its order status is Pending.')
      .waitFor();
    expect((await api.get<Order>(`/order/${_id}`)).json.orderStatus).toBe('Pending');
    await page.getByRole('button', { name: 'Update Order Status' }).click();
    await seeToast(page, 'OrderStatus is Updated');
  });
});

test('the dashboard has total sales, and the newest orders with links', async () => {
  const { page, api } = await openPageAsAdmin(browser);
  // Other specs order and pay on the same site: repeat until nothing changed between the two reads.
  const link = await eventually(async () => {
    const { orders, customerName } = await ordersOfNewCustomer(['Premium']);
    await api.put(`/order/${orders[0]!._id}`, { paymentStatus: 'Paid' });
    await visit(page, '/admin');
    await page.getByRole('heading', { level: 1, name: 'Welcome to Admin Panel' }).waitFor();
    const { json } = await api.get<{ totalSales: string }>('/orders/summary');
    const sales = Number(json.totalSales).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
    expect(await page.locator('.figure', { hasText: 'Total Sales' }).innerText()).toContain(sales);
    const row = page.getByRole('row').filter({ hasText: customerName });
    expect(await row.count()).toBe(1);
    return row.getByRole('link', { name: 'Update Order' });
  });
  const address = await link.getAttribute('href');
  await link.click();
  await page.waitForURL(`**${address}`);
  await page.getByRole('button', { name: 'Update Payment Status' }).waitFor();
});

fullTest('the dashboard shows sales in a chart and in tables, and links to unpaid orders', async () => {
  const { orders } = await ordersOfNewCustomer(['Premium', 'Basic']);
  const { page, api } = await openPageAsAdmin(browser);
  await api.put(`/order/${orders[0]!._id}`, { paymentStatus: 'Paid' });
  await visit(page, '/admin?by=month');
  await page.getByRole('button', { name: 'Weeks' }).click();
  await page.waitForURL('**/admin?by=week');
  await page.getByRole('img', { name: /^Sales by week\. Highest: Week of / }).waitFor();
  await page.getByText('Sales by week as a table').click();
  const cells = page.getByRole('table', { name: 'Sales by week' }).locator('tbody tr').last().locator('td');
  expect(await cells.nth(2).innerText()).toMatch(/^\$[\d,]+\.\d\d$/);
  await page
    .getByRole('table', { name: 'Sales by package' })
    .getByRole('rowheader', { name: 'Premium' })
    .waitFor();
  await page.getByRole('link', { name: '0 to 1 days' }).click();
  await page.waitForURL('**/total-orders?paymentStatus=UnPaid&from=*');
  await page.getByText(/^[\d,]+ orders? found$/).waitFor();
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(
    new URL(page.url()).searchParams.get('from'),
  );
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.getByText('No matching orders').waitFor();
});

describe('the PayPal e-mail', () => {
  const paypalEmail = 'merchant@northrank.example';

  fullTest('is saved with the documented toast after a conflict is resolved', async () => {
    const { page, api } = await openPageAsAdmin(browser);
    await visit(page, '/add-paypal-Email');
    await page.getByRole('link', { name: 'Update Paypal Email' }).click();
    await page.waitForURL('**/paypal-email/*');
    const field = page.getByRole('textbox', { name: 'PayPal e-mail' });
    const before = await field.inputValue();
    await field.fill('no address');
    await page.getByRole('button', { name: 'Update Paypal Email' }).click();
    await page.getByText('Provide a Valid Email').waitFor();
    // Other specs pay on this site meanwhile, so the stored address stays, and the refusal is faked for this page.
    const [stored] = (await api.get<PaypalEmail[]>('/paypal-email')).json;
    const theirs = 'theirs@northrank.example';
    const body = { status: 412, code: 'VERSION_MISMATCH', current: { ...stored, paypalEmail: theirs } };
    await page.route('**/paypal-email/*', (route) => route.fulfill({ status: 412, json: body }), {
      times: 1,
    });
    await field.fill(before);
    await page.getByRole('button', { name: 'Update Paypal Email' }).click();
    const conflict = page.getByRole('alert').filter({ hasText: 'Someone else edited this in the meantime' });
    await conflict.getByText(theirs).waitFor();
    await conflict.getByLabel('Yours').check();
    await conflict.getByRole('button', { name: 'Save choices' }).click();
    await seeToast(page, 'Paypal Email Updated');
    expect((await api.get<PaypalEmail[]>('/paypal-email')).json).toMatchObject([{ paypalEmail: before }]);
  });

  fullTest('can be added while none is listed, unless the server has one already', async () => {
    const { page } = await openPageAsAdmin(browser);
    // The demo site has an address that cannot be deleted, so an empty list is faked for this page.
    await page.route('**/paypal-email', (route) => route.fulfill({ json: [] }));
    await visit(page, '/add-paypal-Email');
    const add = page.getByRole('button', { name: 'Add Paypal Email' });
    await add.click();
    await page.getByText('PayPal e-mail is required').waitFor();
    await page.getByLabel('PayPal e-mail').fill(paypalEmail);
    await add.click();
    await page.getByRole('alert').getByText('Update the existing one instead').waitFor();
    expect(await page.getByLabel('PayPal e-mail').inputValue()).toBe(paypalEmail);
    const record = { _id: randomUUID(), paypalEmail, createdAt: '', updatedAt: '', version: 1 };
    // Then the answer to adding it is faked, too.
    await page.route('**/add-email', (route) => route.fulfill({ status: 201, json: record }));
    await add.click();
    await seeToast(page, 'Paypal Email Added');
  });

  fullTest(
    'is above the connection to PayPal, and can be edited when the connection cannot be loaded',
    async () => {
      const { page, api } = await openPageAsAdmin(browser);
      const [stored] = (await api.get<PaypalEmail[]>('/paypal-email')).json;
      await visit(page, `/paypal-email/${stored!._id}`);
      const field = page.getByRole('textbox', { name: 'PayPal e-mail' });
      const connection = page.getByRole('region', { name: 'PayPal connection' });
      await connection.getByText('PayPal Payments Standard').waitFor();
      await connection.getByText('PAYPAL_WEBHOOK_ID').waitFor();
      const top = async (element: Locator) => (await element.boundingBox())!.y;
      expect(await top(field)).toBeLessThan(await top(connection));
      expect(await findFaults(page)).toEqual([]);

      await page.route('**/paypal-connection', (route) => route.abort(), { times: 1 });
      await page.reload();
      await field.fill(paypalEmail);
      await connection.getByRole('button', { name: 'Try again' }).click();
      await connection.getByText('PayPal Payments Standard').waitFor();
      expect(await field.inputValue()).toBe(paypalEmail);
    },
  );

  fullTest('has no form for visitors and customers', async () => {
    const visitor = await browser.openPage({ baseURL: url });
    await visit(visitor, '/add-paypal-Email');
    await visitor.getByText('Sign in as an admin').waitFor();
    expect(await visitor.getByRole('main').getByRole('textbox').count()).toBe(0);
    await visitor.getByRole('main').getByRole('link', { name: 'Login' }).click();
    await visitor.waitForURL('**/login');
    const { page } = await openPageAs(browser, newPerson());
    await visit(page, '/add-paypal-Email');
    await page.getByText("You don't have any permission to change where payments go").waitFor();
    expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
  });
});

fullTest('customers see no admin screen for orders and PayPal', async () => {
  const { page, api } = await openPageAs(browser, newPerson());
  const { _id } = await placeOrder(api);
  // A customer is refused whatever the id is, so the order's id also serves for `/paypal-email/`.
  for (const path of ['/total-orders', `/admin/payment-status/${_id}`, `/paypal-email/${_id}`, '/admin']) {
    await visit(page, path);
    await page.getByRole('heading', { level: 1, name: "You don't have any permission" }).waitFor();
  }
});

// signed-in-screens.full.spec.ts checks these screens too, except for /add-paypal-Email.
fullTest('no admin screen for orders and PayPal has faults on a phone, in light and dark', async () => {
  const { orders } = await ordersOfNewCustomer(['Basic']);
  const { page, api } = await openPageAsAdmin(browser, { width: 390 });
  const [stored] = (await api.get<PaypalEmail[]>('/paypal-email')).json;
  const paths = ['/total-orders', `/admin/payment-status/${orders[0]!._id}`, '/add-paypal-Email', '/admin'];
  paths.push(`/paypal-email/${stored!._id}`);
  for (const path of paths) {
    await visit(page, path);
    expect({ path, faults: await findFaults(page) }).toEqual({ path, faults: [] });
  }
});
