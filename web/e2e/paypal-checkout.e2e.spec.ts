import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Order, PaypalEmail } from '#libs/contracts';
import { eventually, Session, TestBrowser, fullTest } from '#libs/testing';
import type { PayPalSimulator } from '../../dev/stand-ins/paypal/client.js';
import type { OrderPaymentMethod } from '../../dev/stand-ins/paypal/model.js';
import { adminCredentials, type SiteUnderTest, startSite } from '../../apps/gateway/test/site.harness.js';
import { findFaults } from './faults.js';
import { newPerson, openPageAs, openTab, placeOrder } from './person.js';
import { visit } from './visit.js';

const app = {
  clientId: 'AZ-the-client-id-of-the-shop',
  secret: 'the client secret of the shop',
  webhookId: '5GP028458E2496506',
};

let site: SiteUnderTest;
let url: string;
let paypal: PayPalSimulator;
let browser: TestBrowser;
beforeAll(async () => {
  site = await startSite({
    inBrowser: true,
    seed: 'demo',
    paypalClock: 'running',
    ordersSettings: {
      PAYPAL_CLIENT_ID: app.clientId,
      PAYPAL_CLIENT_SECRET: app.secret,
      PAYPAL_WEBHOOK_ID: app.webhookId,
    },
  });
  ({ url, paypal } = site);
  await paypal.setUpApp({ ...app, webhookUrl: `${url}/paypal/webhook` });
  browser = await TestBrowser.open();
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const payNow = (page: Page) => page.getByRole('button', { name: 'Pay Now' });
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const asAdmin = (options = {}) =>
  openPageAs(browser, adminCredentials, { isNew: false, baseURL: url, ...options });

async function goToPaypal(page: Page): Promise<void> {
  await payNow(page).click();
  await page.waitForURL(`${paypal.url}/**`);
}

async function customerAtPaypal() {
  const customer = await openPageAs(browser, newPerson(), { baseURL: url });
  const placed = await placeOrder(customer.api);
  await visit(customer.page, `/pay-now/${placed._id}`);
  await goToPaypal(customer.page);
  /** From the second payment attempt on, PayPal’s `invoice` has a suffix: `1042-2`. */
  const paymentsAtPaypal = async () => {
    const { payments } = await paypal.ledger();
    return payments.filter(({ invoice }) => invoice.split('-')[0] === `${placed.number}`);
  };
  return { ...customer, id: placed._id, number: placed.number, paymentsAtPaypal };
}

async function approve(page: Page, method: OrderPaymentMethod): Promise<void> {
  await page.locator(`[name=method][value=${method}]`).check();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
}

async function customerWithPaidOrder() {
  const customer = await customerAtPaypal();
  await approve(customer.page, 'balance');
  await waitForHeading(customer.page, 'You Have Paid');
  return customer;
}

describe('a customer', () => {
  test('pays at PayPal, returns, and has paid', async () => {
    const { page, number, paymentsAtPaypal } = await customerAtPaypal();
    expect(await page.locator('body').innerText()).toContain('Basic');
    await approve(page, 'balance');
    await page.waitForURL('**/received-payment/*');
    await waitForHeading(page, 'You Have Paid');
    const [payment] = await paymentsAtPaypal();
    await page.getByText(`transaction ${payment!.transactionId}`).waitFor();
    await page.getByText(`PayPal has confirmed the payment for order #${number}.`).first().waitFor();
    expect(await findFaults(page)).toEqual([]);
  });

  fullTest('closes the window after approving, and has paid nevertheless', async () => {
    const { page, paymentsAtPaypal } = await customerAtPaypal();
    const tab = await openTab(page, '/pending-order');
    await page.getByRole('button', { name: 'Pay, then close the window' }).click();
    await waitForHeading(page, 'You approved $290.00');
    await page.close();
    await eventually(async () => {
      await visit(tab, '/my-order');
      await tab.locator('tbody').getByText('You Have Paid').waitFor({ timeout: 5_000 });
    });
    expect(await paymentsAtPaypal()).toHaveLength(1);
  });

  fullTest('who approves in two tabs pays once', async () => {
    const { page, id, paymentsAtPaypal } = await customerAtPaypal();
    const tab = await openTab(page, `/pay-now/${id}`);
    await goToPaypal(tab);
    await approve(page, 'balance');
    await waitForHeading(page, 'You Have Paid');
    await approve(tab, 'card');
    await waitForHeading(tab, 'You have already paid');
    await visit(tab, `/pay-now/${id}`);
    await waitForHeading(tab, 'You Have Paid');
    expect(await paymentsAtPaypal()).toHaveLength(1);
  });

  fullTest('goes back after paying, and cannot pay again', async () => {
    const { page, id, paymentsAtPaypal } = await customerAtPaypal();
    await approve(page, 'balance');
    await waitForHeading(page, 'You Have Paid');
    await page.goBack();
    await page.waitForURL(`${paypal.url}/**`);
    await page.goBack();
    await page.waitForURL(`**/pay-now/${id}`);
    await waitForHeading(page, 'You Have Paid');
    expect(await payNow(page).count()).toBe(0);
    expect(await paymentsAtPaypal()).toHaveLength(1);
  });

  fullTest('cancels at PayPal, which cancels the order', async () => {
    const { page, api, id, paymentsAtPaypal } = await customerAtPaypal();
    await page.getByRole('link', { name: 'Cancel and return to merchant' }).click();
    await waitForHeading(page, 'You have cancelled the payment');
    await page.waitForURL('**/dashboard');
    await page.locator('tbody').getByText('You Have Cancelled').waitFor();
    expect((await api.get<Order>(`/order/${id}`)).json.paymentStatus).toBe('Cancelled');
    expect(await paymentsAtPaypal()).toEqual([]);
  });

  fullTest('whose card is declined pays with another', async () => {
    const { page, paymentsAtPaypal } = await customerAtPaypal();
    await approve(page, 'declined');
    await waitForHeading(page, 'The payment did not go through');
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Pay Now' }).click();
    await waitForHeading(page, 'Pay Now');
    await goToPaypal(page);
    await approve(page, 'card');
    await waitForHeading(page, 'You Have Paid');
    expect(await paymentsAtPaypal()).toHaveLength(1);
  });
});

describe('an admin', () => {
  const payments = (page: Page) => page.getByRole('region', { name: 'Payments' });
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Refund order #\d+$/ });

  fullTest('refunds a part by keyboard, and the customer sees it with the reason', async () => {
    const { page: customer, id, paymentsAtPaypal } = await customerWithPaidOrder();
    const { page } = await asAdmin();
    await visit(page, `/admin/payment-status/${id}`);
    await payments(page).getByRole('button', { name: 'Refund' }).press('Enter');
    const dialog = dialogOf(page);
    const amount = dialog.getByLabel('Amount in US dollars');
    await page.waitForFunction(() => document.activeElement?.id === 'amount');
    expect(await amount.inputValue()).toBe('290.00');
    await dialog.getByText('The order’s payment status becomes Cancelled.').waitFor();
    expect(await findFaults(page)).toEqual([]);

    await amount.fill('290.01');
    await amount.press('Enter');
    await dialog.getByText('Enter at most $290.00').waitFor();
    await dialog.getByText('Enter a reason').waitFor();
    await amount.fill('49');
    await dialog.getByText('The customer gets $49.00 back').waitFor();
    expect(await dialog.getByText('becomes Cancelled').count()).toBe(0);
    await dialog.getByLabel('Reason').fill('One week was not delivered.');
    await dialog.getByRole('button', { name: 'Refund $49.00' }).press('Enter');

    await page.getByRole('status').getByText('Refund requested', { exact: true }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await payments(page).getByText('Accepted by PayPal').waitFor();
    await payments(page).getByText('$49.00: One week was not delivered.').waitFor();
    await payments(page).getByText('$49.00 refunded').waitFor();
    await page.getByRole('term').filter({ hasText: 'Payment status' }).waitFor();
    await page.getByText('Partially refunded', { exact: true }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(await paymentsAtPaypal()).toMatchObject([{ refunded: '49.00' }]);

    await visit(customer, `/pay-now/${id}`);
    await waitForHeading(customer, 'You Have Paid');
    await customer.getByText('$49.00 was refunded.').waitFor();
    await customer.locator('.timeline').getByText('One week was not delivered.').waitFor();
    expect(await findFaults(customer)).toEqual([]);
  });

  fullTest('cancels an order by refunding it in full, on a phone', async () => {
    const { page: customer, id } = await customerWithPaidOrder();
    const { page } = await asAdmin({ width: 390, height: 844 });
    await visit(page, `/admin/payment-status/${id}`);
    await payments(page).getByRole('button', { name: 'Refund' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Reason').fill('The customer left.');
    expect(await findFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Refund $290.00' }).click();
    // The button that had the focus is gone, so the heading above the payments gets the focus.
    await page.waitForFunction(() => document.activeElement?.id === 'order-payments');
    await page.getByText('Refunded in full: $290.00').waitFor();
    await page.getByRole('definition').getByText('Cancelled', { exact: true }).waitFor();
    expect(await payments(page).getByRole('button', { name: 'Refund' }).count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
    await visit(customer, `/pay-now/${id}`);
    await waitForHeading(customer, 'Refunded');
  });

  fullTest('refunds once despite a lost answer, and is told that PayPal refused a refund', async () => {
    const { id, number, paymentsAtPaypal } = await customerWithPaidOrder();
    const { page } = await asAdmin();
    await visit(page, `/admin/payment-status/${id}`);
    await payments(page).getByRole('button', { name: 'Refund' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Amount in US dollars').fill('10');
    await dialog.getByLabel('Reason').fill('Sorry.');
    // The server gets the request, but the browser does not get the answer.
    await page.route(
      `**/order/${id}/refund`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await dialog.getByRole('button', { name: 'Refund $10.00' }).click();
    await dialog.getByRole('alert').getByText('can’t reach the site').waitFor();
    await dialog.getByRole('button', { name: 'Refund $10.00' }).click();
    await dialog.waitFor({ state: 'detached' });
    await payments(page).getByText('Accepted by PayPal').waitFor();
    expect(await paymentsAtPaypal()).toMatchObject([{ refunded: '10.00' }]);

    // The rest is refunded directly at PayPal, so PayPal refuses the site’s refund. The notification about the direct refund is held back.
    await paypal.misbehave({ invoice: `${number}` }, { hold: true });
    const [payment] = await paymentsAtPaypal();
    await page.route(
      `**/order/${id}/refund`,
      async (route) => {
        await paypal.refund(payment!.transactionId);
        await route.continue();
      },
      { times: 1 },
    );
    await payments(page).getByRole('button', { name: 'Refund' }).click();
    await dialog.getByLabel('Reason').fill('Sorry.');
    await dialog.getByRole('button', { name: 'Refund $280.00' }).click();
    await payments(page).getByText('Refused by PayPal').waitFor();
    expect(await findFaults(page)).toEqual([]);
  });

  fullTest('sees that the connection to PayPal works, or what is wrong with it', async () => {
    const { page, api } = await asAdmin();
    await visit(page, '/add-paypal-Email');
    await waitForHeading(page, 'PayPal');
    const connection = page.getByRole('region', { name: 'PayPal connection' });
    await connection.getByText('No problems found.').waitFor();
    await connection.getByText('PayPal accepts the credentials.').waitFor();
    await connection.getByText('PayPal sends notifications to this site.').waitFor();
    const field = connection.getByLabel('Webhook URL');
    expect(await field.inputValue()).toBe(`${url}/paypal/webhook`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await connection.getByRole('button', { name: 'Copy webhook URL' }).click();
    await page.getByRole('status').getByText('Webhook URL copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${url}/paypal/webhook`);
    expect(await findFaults(page)).toEqual([]);

    await paypal.setUpApp({
      clientId: app.clientId,
      webhookUrl: `${url}/paypal/webhook`,
      eventTypes: ['PAYMENT.CAPTURE.COMPLETED'],
    });
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/paypal-connection', (route) => released.then(() => route.continue()), { times: 1 });
    await connection.getByRole('button', { name: 'Check again' }).press('Enter');
    await connection.getByRole('status').getByText('Checking…').waitFor();
    await connection.getByRole('button', { name: 'Checking…' }).waitFor();
    release();
    await connection.getByRole('status').getByText('1 problem found.').waitFor();
    await connection.getByText('The webhook is not subscribed to').waitFor();
    expect(await findFaults(page)).toEqual([]);

    const [stored] = (await api.get<PaypalEmail[]>('/paypal-email')).json;
    await page.getByRole('link', { name: 'Update Paypal Email' }).click();
    await page.waitForURL(`**/paypal-email/${stored!._id}`);
    await page.getByText('Not in use: payments go to the PayPal account').waitFor();
    expect(await page.getByRole('textbox', { name: 'PayPal e-mail' }).inputValue()).toBe(stored!.paypalEmail);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await findFaults(page)).toEqual([]);
  });

  test('sees in the setup guide that the step for PayPal is done', async () => {
    const api = await Session.signIn(url, adminCredentials);
    const { json } = await api.get<{ steps: { step: string; state: string }[] }>('/setup-guide');
    expect(json.steps.find(({ step }) => step === 'paypalEmail')).toMatchObject({ state: 'done' });
  });
});
