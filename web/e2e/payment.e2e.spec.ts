import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Order } from '#libs/contracts';
import { eventually, Session, TestBrowser, testStack, fullTest } from '#libs/testing';
import { MailCatcher } from '../../dev/stand-ins/mail/client.js';
import { PayPalSimulator } from '../../dev/stand-ins/paypal/client.js';
import { findFaults } from './faults.js';
import { getPackage, newPerson, openPageAs, openPageAsAdmin, openTab, placeOrder } from './person.js';
import { visit } from './visit.js';

const { url, paypal: simulator, mail: catcher } = testStack();
const paypal = PayPalSimulator.at(simulator!.url);
const mail = MailCatcher.at(catcher!.url);

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

const payNow = (page: Page) => page.getByRole('button', { name: 'Pay Now' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const paymentsOf = async (invoice: string) => (await paypal.ledger({ invoice })).payments;

async function atPayNow() {
  const customer = await openPageAs(browser, newPerson());
  const { _id } = await placeOrder(customer.api, 'Basic');
  await customer.page.goto(`/pay-now/${_id}`);
  await heading(customer.page, 'Pay Now');
  return { ...customer, id: _id };
}

async function atCheckout() {
  const customer = await atPayNow();
  await payNow(customer.page).click();
  await customer.page.waitForURL(`${paypal.url}/**`);
  return customer;
}

async function payBy(page: Page, method: 'Card' | 'E-check' | 'PayPal balance'): Promise<void> {
  await page.getByRole('radio', { name: method }).check();
  if (method === 'Card') await page.getByLabel('Card number').fill('4111 1111 1111 1111');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  // Leaving the page before PayPal has answered could cancel the request.
  await page.getByRole('link', { name: 'Return to merchant' }).waitFor();
}

const comeBack = (page: Page) => page.getByRole('link', { name: 'Return to merchant' }).click();

describe('paying an order', () => {
  test('starts at the order form, and ends with the receipt', async () => {
    const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
    const person = newPerson();
    await page.goto(`/order-now/${(await getPackage('Premium'))._id}`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Welcome! Register to continue' }).waitFor();
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Address').fill('12 St James’s Square, London');
    await page.getByLabel('Country').fill('United Kingdom');
    await page.getByRole('button', { name: 'Place Order Now' }).click();
    await heading(page, 'Your Pending Orders');
    await page.locator('tbody').getByRole('link', { name: 'Pay Now' }).click();
    await heading(page, 'Pay Now');
    await payNow(page).click();
    await page.waitForURL(`${paypal.url}/**`);
    expect(await page.locator('body').innerText()).toContain('Premium');
    await payBy(page, 'Card');
    await comeBack(page);
    await page.waitForURL('**/received-payment/*');
    await heading(page, 'You Have Paid');
    await page.getByText('Your project:').waitFor();

    await page.getByRole('link', { name: 'Go to your dashboard' }).click();
    const row = page.locator('tbody tr').first();
    await row.getByText('You Have Paid').waitFor();
    await page.locator('.card', { hasText: 'Total Spent' }).getByText('$990.00').waitFor();
    await row.getByRole('link', { name: /^Order of/ }).click();
    await heading(page, 'You Have Paid');
    const api = await Session.signIn(url, person);
    const [paid] = (await api.get<Order[]>('/orders')).json;
    const [payment] = await paymentsOf(paid!._id);
    await page.getByText(`transaction ${payment!.transactionId}`).waitFor();
    expect(await findFaults(page)).toEqual([]);
  });

  fullTest('posts the form of PayPal Payments Standard', async () => {
    const { page, id } = await atPayNow();
    const posted = page.waitForRequest((request) => request.url() === `${paypal.url}/cgi-bin/webscr`);
    await payNow(page).click();
    const form = Object.fromEntries(new URLSearchParams((await posted).postData() ?? ''));
    expect(form).toMatchObject({
      cmd: '_xclick',
      item_number: '1',
      item_name: 'Basic',
      amount: '290.00',
      no_shipping: '1',
      currency_code: 'USD',
      invoice: id,
      return: `${url}/received-payment/${id}`,
      cancel_return: `${url}/order-cancelled/${id}`,
      notify_url: `${url}/paypal/ipn`,
    });
    expect(form.business).toMatch(/@/);
  });

  fullTest('opens an address if the provider’s checkout takes no form', async () => {
    const { page } = await atPayNow();
    const action = `${paypal.url}/?checkout=1`;
    await page.route('**/order/*/payment', (route) =>
      route.fulfill({ status: 201, json: { action, fields: [] } }),
    );
    await payNow(page).click();
    await page.waitForURL(action);
  });

  fullTest('starts one payment for a double click, and can be started again after going back', async () => {
    const { page, id } = await atPayNow();
    const starts: string[] = [];
    page.on('request', (request) => request.url().endsWith(`/order/${id}/payment`) && starts.push(id));
    await payNow(page).dblclick();
    await page.waitForURL(`${paypal.url}/**`);
    expect(starts).toHaveLength(1);
    await page.goBack();
    await heading(page, 'Pay Now');
    await payNow(page).click();
    await page.waitForURL(`${paypal.url}/**`);
    await payBy(page, 'PayPal balance');
    await comeBack(page);
    await heading(page, 'You Have Paid');
    expect(await paymentsOf(id)).toHaveLength(1);
  });

  fullTest('can be started by keyboard', async () => {
    const { page } = await atPayNow();
    await payNow(page).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${paypal.url}/**`);
  });

  fullTest('keeps the button and says why, if the payment cannot be started', async () => {
    const { page } = await atPayNow();
    await page.route('**/order/*/payment', (route) => route.abort(), { times: 1 });
    await payNow(page).click();
    await page.getByRole('alert').getByText('can’t reach the site').waitFor();
    await payNow(page).click();
    await page.waitForURL(`${paypal.url}/**`);
  });
});

describe('returning from the checkout', () => {
  test('by cancelling, cancels the order', async () => {
    const { page, api, id } = await atCheckout();
    await page.getByRole('link', { name: 'Cancel and return to merchant' }).click();
    await heading(page, 'You have cancelled the payment');
    await page.waitForURL('**/dashboard');
    await page.locator('tbody').getByText('You Have Cancelled').waitFor();
    expect((await api.get<Order>(`/order/${id}`)).json.paymentStatus).toBe('Cancelled');
    expect(await paymentsOf(id)).toEqual([]);
  });

  fullTest('with an e-check, says that the payment is pending, and updates when it has cleared', async () => {
    const { page, id } = await atCheckout();
    await payBy(page, 'E-check');
    await comeBack(page);
    await heading(page, 'Payment pending');
    const tab = await openTab(page, '/pending-order');
    await tab.locator('tbody').getByText('Payment pending').waitFor();
    expect(await tab.getByRole('link', { name: 'Pay Now' }).count()).toBe(0);
    await tab.goto(`/pay-now/${id}`);
    await heading(tab, 'Payment pending');
    expect(await payNow(tab).count()).toBe(0);

    // Only a visible tab polls.
    await page.bringToFront();
    await paypal.clearEcheck((await paymentsOf(id))[0]!.transactionId);
    await heading(page, 'You Have Paid');
  });

  test('waits until PayPal confirms, and trusts nothing in the address', async () => {
    const { page, api, id } = await atCheckout();
    await paypal.misbehave({ invoice: id }, { hold: true });
    await payBy(page, 'PayPal balance');
    await page.goto(`/received-payment/${id}?st=Completed&amt=290.00&cc=USD&tx=0AB12345CD678901E`);
    await heading(page, 'Confirming your payment');
    await page.getByText('Basic').waitFor();
    expect((await api.get<Order>(`/order/${id}`)).json.paymentStatus).toBe('UnPaid');
    expect(await findFaults(page)).toEqual([]);
    const held = await paypal.ipns({ invoice: id });
    await paypal.deliver(held.map((notification) => notification.id));
    await heading(page, 'You Have Paid');
  });

  fullTest(
    'does not poll in a hidden tab, stops after some minutes, and polls again on request',
    async () => {
      const { page, api, id } = await atCheckout();
      await paypal.misbehave({ invoice: id }, { hold: true });
      await payBy(page, 'PayPal balance');
      let polls = 0;
      await page.route(`**/order/${id}`, (route) => {
        polls += 1;
        return route.continue();
      });
      await page.clock.install();
      await page.goto(`/received-payment/${id}`);
      await heading(page, 'Confirming your payment');
      const setVisibility = (state: DocumentVisibilityState) =>
        page.evaluate((visibilityState) => {
          Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }, state);
      await setVisibility('hidden');
      await page.clock.runFor('00:30');
      const before = polls;
      await page.clock.runFor('04:00');
      expect(polls).toBe(before);
      await setVisibility('visible');
      await eventually(() => expect(polls).toBeGreaterThan(before));
      const again = page.getByRole('button', { name: 'Check again' });
      await eventually(async () => {
        await page.clock.runFor('01:00');
        expect(await again.isVisible()).toBe(true);
      });
      await page.getByText('Don’t pay again.').waitFor();
      const held = await paypal.ipns({ invoice: id });
      await paypal.deliver(held.map((notification) => notification.id));
      await eventually(async () =>
        expect((await api.get<Order>(`/order/${id}`)).json.paymentStatus).toBe('Paid'),
      );
      await again.click();
      await heading(page, 'You Have Paid');
    },
  );

  fullTest('for an order whose payment was never started, says that no payment has arrived', async () => {
    const { page, id } = await atPayNow();
    await page.goto(`/received-payment/${id}?st=Completed&amt=290.00`);
    await heading(page, 'No payment has arrived');
    await page.getByRole('link', { name: 'Pay Now' }).click();
    await heading(page, 'Pay Now');
  });
});

describe('a payment', () => {
  fullTest(
    'of a wrong amount is under review for the customer, and flagged for admins until one has reviewed it',
    async () => {
      const { page, api, id } = await atCheckout();
      await paypal.misbehave({ invoice: id }, { fields: { mc_gross: '1.00' } });
      await payBy(page, 'PayPal balance');
      await comeBack(page);
      await heading(page, 'Your payment is under review');
      expect(await findFaults(page)).toEqual([]);
      expect((await api.get<Order>(`/order/${id}`)).json.paymentStatus).toBe('UnPaid');
      for (const path of ['/my-order', '/pending-order', '/dashboard', `/pay-now/${id}`]) {
        await page.goto(path);
        await page.getByText('Payment under review').waitFor();
        await page.getByText('Please don’t pay again').waitFor();
        expect(await page.locator('main').getByText('Pay Now', { exact: true }).count()).toBe(0);
      }

      const { page: adminPage } = await openPageAsAdmin(browser);
      await adminPage.goto(`/admin/payment-status/${id}`);
      await adminPage.getByText('its details didn’t match').waitFor();
      await adminPage.locator('.timeline summary').first().click();
      expect(await findFaults(adminPage)).toEqual([]);
      await adminPage.getByRole('button', { name: 'Mark as reviewed' }).click();
      await adminPage.getByText('This order needs attention').waitFor({ state: 'detached' });
      await page.reload();
      await payNow(page).waitFor();
    },
  );

  fullTest('is shown as disputed', async () => {
    const { page, api, id } = await atCheckout();
    await payBy(page, 'PayPal balance');
    await comeBack(page);
    await heading(page, 'You Have Paid');
    await paypal.dispute((await paymentsOf(id))[0]!.transactionId, 'opened');
    await eventually(async () =>
      expect((await api.get<Order>(`/order/${id}`)).json.paymentState).toBe('disputed'),
    );
    await page.reload();
    await heading(page, 'Your payment is disputed');
    await page.getByText('PayPal has taken the payment back').waitFor();
    // Nobody has cancelled the order, so even this screen says ‘Disputed’.
    await page.goto(`/order-cancelled/${id}`);
    await heading(page, 'Disputed');
    expect(await page.getByText('You have cancelled').count()).toBe(0);
  });

  fullTest('is shown as refunded', async () => {
    const { page, api, id } = await atCheckout();
    await payBy(page, 'PayPal balance');
    await comeBack(page);
    await heading(page, 'You Have Paid');
    const { page: adminPage } = await openPageAsAdmin(browser);
    await adminPage.goto(`/admin/payment-status/${id}`);
    await adminPage.getByText('Refund this payment at PayPal.').waitFor();
    expect(await adminPage.getByRole('button', { name: 'Refund' }).count()).toBe(0);
    expect(await findFaults(adminPage)).toEqual([]);
    await paypal.refund((await paymentsOf(id))[0]!.transactionId);
    // An open list is not updated, so the refund has to come first.
    await eventually(async () =>
      expect((await api.get<Order>(`/order/${id}`)).json.paymentState).toBe('refunded'),
    );
    await page.goto('/my-order');
    await page.locator('tbody').getByText('Refunded').waitFor();
    expect(await page.getByText('You Have Cancelled').count()).toBe(0);
  });
});

describe('an order', () => {
  fullTest('that an admin marked as paid is not shown as confirmed by PayPal', async () => {
    const { page, api, id } = await atPayNow();
    const { api: adminApi } = await openPageAsAdmin(browser);
    await adminApi.put(`/order/${id}`, { paymentStatus: 'Paid' });
    await page.goto(`/received-payment/${id}`);
    await heading(page, 'You Have Paid');
    await page.getByText(/^We’ve marked order #\d+ as paid\./).waitFor();
    expect((await api.get<Order>(`/order/${id}`)).json.payments).toEqual([]);
  });

  fullTest('with two payments is shown as paid twice', async () => {
    const { page, id } = await atPayNow();
    const tab = await openTab(page, `/pay-now/${id}`);
    for (const checkout of [page, tab]) {
      await payNow(checkout).click();
      await checkout.waitForURL(`${paypal.url}/**`);
    }
    for (const checkout of [page, tab]) await payBy(checkout, 'PayPal balance');
    await eventually(async () => expect(await paymentsOf(id)).toHaveLength(2));
    await comeBack(page);
    await heading(page, 'You Have Paid');
    await eventually(async () => {
      await page.goto(`/pay-now/${id}`);
      await page.getByText('We received a second payment.').waitFor({ timeout: 5_000 });
    });
    expect(await findFaults(page)).toEqual([]);
  });

  fullTest('that an admin cancelled does not say ‘You Have Cancelled’ to its customer', async () => {
    const { page, id } = await atPayNow();
    const { api: adminApi } = await openPageAsAdmin(browser);
    await adminApi.put(`/order-cancelled/${id}`, { paymentStatus: 'Cancelled' });
    for (const path of [`/pay-now/${id}`, `/order-cancelled/${id}`]) {
      await page.goto(path);
      await heading(page, 'Cancelled');
      await page.getByText('We cancelled this order.').waitFor();
    }
    await page.goto('/my-order');
    await page.locator('tbody').getByText('We cancelled this order.').waitFor();
    expect(await page.getByText('You Have Cancelled').count()).toBe(0);
  });
});

describe('a colleague with the billing role', () => {
  fullTest('sees and pays the customer’s orders, but cannot cancel them or see the project', async () => {
    const ada = newPerson();
    const owner = await Session.register(url, ada);
    await confirmAddress(owner);
    const { page, api } = await colleagueOf(owner);
    const { _id: id, packageName } = await placeOrder(owner);
    await visit(page, '/my-order');
    await page
      .locator('tbody tr', { hasText: 'Ada Lovelace' })
      .getByRole('link', { name: 'Pay Now' })
      .click();
    await heading(page, 'Pay Now');
    await page.getByText(packageName, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel this order' }).count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
    await payNow(page).click();
    await page.waitForURL(`${paypal.url}/**`);
    await page.getByRole('link', { name: 'Cancel and return to merchant' }).click();
    await heading(page, 'The order wasn’t cancelled');
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'See order' }).click();
    await payNow(page).click();
    await page.waitForURL(`${paypal.url}/**`);
    await payBy(page, 'Card');
    await comeBack(page);
    await heading(page, 'You Have Paid');
    expect((await owner.get<Order>(`/order/${id}`)).json.paymentStatus).toBe('Paid');
    await visit(page, `/order-now/${(await getPackage('Basic'))._id}`);
    await page.getByLabel('Your name').waitFor();
    expect(await page.getByLabel('Your name').inputValue()).toBe('');
    await eventually(async () =>
      expect((await owner.get<unknown[]>('/projects')).json).toMatchObject([{ orders: [{ _id: id }] }]),
    );
    expect((await api.get<unknown[]>('/projects')).json).toEqual([]);
  });
});

async function tokenFor(email: string, subject: string): Promise<string> {
  const { text } = await eventually(() => mail.newest({ to: email, subject }));
  return /#token=([\w-]+)/.exec(text)![1]!;
}

async function confirmAddress(person: Session): Promise<void> {
  const token = await tokenFor(person.email!, 'Confirm');
  expect((await person.post('/auth/verify-email', { token })).status).toBe(200);
}

async function colleagueOf(owner: Session) {
  const grace = newPerson();
  const invited = { name: 'Grace Hopper', email: grace.email, role: 'billing' };
  expect((await owner.post('/team/invitations', invited)).status).toBe(201);
  const joined = await openPageAs(browser, grace);
  await confirmAddress(joined.api);
  const token = await tokenFor(grace.email, 'invited');
  // A new session, because the gateway may remember the unconfirmed address of the first session for a second.
  const confirmed = await Session.signIn(url, grace);
  expect((await confirmed.post('/team/invitation/accept', { token })).status).toBe(200);
  return joined;
}
