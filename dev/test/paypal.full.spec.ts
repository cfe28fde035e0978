import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, TestBrowser, testStack } from '#libs/testing';
import { PayPalSimulator } from '../stand-ins/paypal/client.js';
import { orderBody, RestClient } from '../stand-ins/paypal/rest/test/rest-client.js';
import { Listener, shopForm } from '../stand-ins/paypal/test/listener.js';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const shopPage = (action: string, form: Record<string, string>) => `<!doctype html><title>Shop</title>
  <form method="post" action="${action}">
    ${Object.entries({ cmd: '_xclick', ...form })
      .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
      .join('')}
    <button>Pay Now</button>
  </form>`;

let orderCount = 0;

describe('the PayPal simulator, in a browser', () => {
  const paypal = PayPalSimulator.at(testStack().paypal!.url);
  let browser: TestBrowser;
  let shop: Listener;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([TestBrowser.open(), Listener.open()]);
  });
  afterAll(() => Promise.all([browser.close(), shop.close()]));

  async function checkout(
    overrides: Record<string, string> = {},
    options: Parameters<TestBrowser['openPage']>[0] = {},
  ) {
    const { origin } = new URL(shop.url);
    const invoice = `simulated-${++orderCount}`;
    const urls = { return: `${origin}/received`, cancel_return: `${origin}/cancelled` };
    const form = shopForm(shop, { invoice, ...urls, ...overrides });
    const page = await browser.openPage(options);
    await page.route(`${origin}/pay-now`, (route) =>
      route.fulfill({ contentType: 'text/html', body: shopPage(`${paypal.url}/cgi-bin/webscr`, form) }),
    );
    await page.goto(`${origin}/pay-now`);
    await page.getByRole('button', { name: 'Pay Now' }).click();
    await page.waitForURL(/\/checkout\/|webscr/);
    const payments = async () => (await paypal.ledger({ invoice })).payments;
    return { page, invoice, payments };
  }

  test('says what is paid to whom, and that it is simulated', async () => {
    const { page, invoice } = await checkout();
    await page.getByRole('heading', { name: 'Pay $49.00' }).waitFor();
    const text = await page.locator('body').innerText();
    for (const part of ['SIMULATED', 'shop@example.com', 'Basic', invoice]) expect(text).toContain(part);
  });

  test('accepts a card after a declined one, and links back to the shop', async () => {
    const { page, payments } = await checkout();
    await page.getByRole('radio', { name: /^Card/ }).check();
    await page.getByLabel('Card number').fill('4000 0000 0000 0002');
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await page.getByRole('alert').getByText('The card was declined').waitFor();
    expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 0002');
    expect(await payments()).toEqual([]);
    await page.getByLabel('Card number').fill('4111 1111 1111 1111');
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await page.getByRole('heading', { name: 'You paid $49.00' }).waitFor();
    await page.getByRole('link', { name: 'Return to merchant' }).click();
    await page.waitForURL('**/received');
    expect(await payments()).toMatchObject([{ standing: 'Completed', paidWith: 'card' }]);
  });

  test('pays once on a double click, and shows the same payment after going back', async () => {
    const { page, payments } = await checkout();
    await page.getByRole('button', { name: 'Pay $49.00' }).dblclick();
    await page.getByRole('heading', { name: 'You paid $49.00' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'You paid $49.00' }).waitFor();
    expect(await payments()).toHaveLength(1);
  });

  test('accepts an e-check, which the console clears', async () => {
    const { page, payments } = await checkout();
    await page.getByRole('radio', { name: /^E-check/ }).check();
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await page.getByRole('heading', { name: 'Your payment of $49.00 is on its way' }).waitFor();
    const { transactionId } = (await payments())[0]!;
    await page.goto(`${paypal.url}/console/payments/${transactionId}`);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Open a dispute' }).waitFor();
    expect(await payments()).toMatchObject([{ standing: 'Completed' }]);
  });

  test('returns the buyer to the shop without a payment after a cancellation', async () => {
    const { page, payments } = await checkout();
    await page.getByRole('link', { name: 'Cancel and return to merchant' }).click();
    await page.waitForURL('**/cancelled');
    expect(await payments()).toEqual([]);
  });

  test('notifies the merchant even if the buyer never returns', async () => {
    const { page, invoice } = await checkout();
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await page.getByRole('link', { name: 'Close without returning' }).click();
    await page.getByRole('heading', { name: 'You can close this window' }).waitFor();
    await eventually(async () =>
      expect(await paypal.ipns({ invoice })).toMatchObject([{ state: 'delivered', about: 'Completed' }]),
    );
  });

  test('redirects immediately if the merchant has auto-return', async () => {
    await paypal.setUpMerchant({ email: 'auto@example.com', autoReturn: true });
    const { page, payments } = await checkout({ business: 'auto@example.com' });
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await page.waitForURL('**/received?*');
    const { transactionId } = (await payments())[0]!;
    expect(new URL(page.url()).searchParams.get('tx')).toBe(transactionId);
  });

  test('on its console, refunds a payment, decides a dispute in the merchant’s favour, and sends a notification again', async () => {
    const { page, payments, invoice } = await checkout();
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await page.getByRole('heading', { name: 'You paid' }).waitFor();
    await page.goto(`${paypal.url}/?invoice=${invoice}`);
    const { transactionId } = (await payments())[0]!;
    await page.getByRole('link', { name: transactionId }).click();
    await page.getByLabel('Refund (USD)').fill('50');
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByRole('alert').getByText('49.00 USD can be refunded').waitFor();
    await page.getByLabel('Refund (USD)').fill('9');
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByText('Partially Refunded').waitFor();
    await page.getByRole('button', { name: 'Open a dispute' }).click();
    await page.getByRole('button', { name: 'Merchant wins the dispute' }).click();
    await page.getByText('Partially Refunded (dispute won)').waitFor();
    await paypal.waitUntilIdle();
    await page.reload();
    await page.getByText(/^\s*Completed: delivered/).click();
    await page.getByRole('button', { name: 'Send again' }).first().click();
    await eventually(async () =>
      expect((await paypal.ipns({ transactionId }))[0]!.deliveries).toHaveLength(2),
    );
  });

  describe('for an order of the REST API', () => {
    let rest: RestClient;
    beforeAll(async () => {
      const app = await paypal.setUpApp({ email: 'orders@example.com' });
      rest = new RestClient(paypal.url, app);
    });

    async function approvalPage() {
      const { origin } = new URL(shop.url);
      const invoice = `simulated-${++orderCount}`;
      const context = { return_url: `${origin}/received`, cancel_url: `${origin}/cancelled` };
      const source = { payment_source: { paypal: { experience_context: context } } };
      const { body } = await rest.post('/v2/checkout/orders', {
        body: orderBody(source, { invoice_id: invoice }),
        requestId: invoice,
      });
      const page = await browser.openPage();
      const link = body.links.find(({ rel }: { rel: string }) => rel === 'payer-action');
      await page.goto(link.href);
      await page.getByRole('heading', { name: 'Pay $49.00' }).waitFor();
      const capture = () =>
        rest.post(`/v2/checkout/orders/${body.id}/capture`, { requestId: `${invoice}-capture` });
      const read = async () => (await rest.get(`/v2/checkout/orders/${body.id}`)).body;
      return { page, id: body.id as string, capture, read };
    }

    test('returns the buyer to the shop with the ids of order and payer; the capture takes the money', async () => {
      const { page, id, capture, read } = await approvalPage();
      await page.getByRole('button', { name: 'Pay $49.00' }).click();
      await page.waitForURL('**/received?*');
      const { payer, status } = await read();
      expect(status).toBe('APPROVED');
      const back = new URL(page.url()).searchParams;
      expect(Object.fromEntries(back)).toEqual({ token: id, PayerID: payer.payer_id });
      expect((await capture()).body.status).toBe('COMPLETED');
      await page.goto(`${paypal.url}/checkoutnow?token=${id}`);
      await page.getByRole('heading', { name: 'You have already paid' }).waitFor();
    });

    test('lets the buyer choose another way to pay after a declined capture', async () => {
      const { page, id, capture } = await approvalPage();
      await page.getByRole('radio', { name: /^Declined card/ }).check();
      await page.getByRole('button', { name: 'Pay $49.00' }).click();
      await page.waitForURL('**/received?*');
      const declined = await capture();
      expect(declined.body.details[0].issue).toBe('INSTRUMENT_DECLINED');
      await page.goto(declined.body.links.find(({ rel }: { rel: string }) => rel === 'payer-action').href);
      await page.getByText('You have approved this payment').waitFor();
      await page.getByRole('radio', { name: /^E-check/ }).check();
      await page.getByRole('button', { name: 'Pay $49.00' }).click();
      await page.waitForURL('**/received?*');
      await capture();
      expect((await paypal.ledger({ orderId: id })).payments).toMatchObject([{ standing: 'Pending' }]);
    });

    test('links to the cancel address, and lets the buyer approve without returning to the shop', async () => {
      const { page, id, read } = await approvalPage();
      await page.getByRole('link', { name: 'Cancel and return to merchant' }).click();
      await page.waitForURL(`**/cancelled?token=${id}`);
      expect((await read()).status).toBe('PAYER_ACTION_REQUIRED');
      await page.goBack();
      await page.getByRole('button', { name: 'Pay, then close the window' }).click();
      await page.getByRole('heading', { name: 'You approved $49.00' }).waitFor();
      expect((await read()).status).toBe('APPROVED');
    });
  });

  describe.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('in the %s theme, %i pixels wide', (colorScheme, width) => {
    async function faults(page: Page): Promise<string[]> {
      await page.evaluate(axeSource);
      const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      return [
        ...violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`)),
        ...(isTooWide ? ['wider than the window'] : []),
      ];
    }

    /** Makes an order that the buyer can still approve, and a captured order. */
    async function makeOrders() {
      const client = new RestClient(
        paypal.url,
        await paypal.setUpApp({ email: 'orders@example.com', webhookUrl: shop.url }),
      );
      const create = async () => {
        const requestId = `axe-${++orderCount}`;
        const { body } = await client.post('/v2/checkout/orders', { body: orderBody(), requestId });
        return body.id as string;
      };
      const [open, captured] = [await create(), await create()];
      await paypal.approveOrder(captured);
      await client.post(`/v2/checkout/orders/${captured}/capture`);
      const { payments } = await paypal.ledger({ orderId: captured });
      return { open, captured, captureId: payments[0]!.transactionId };
    }

    test('passes axe, and fits the window', async () => {
      const { page, payments } = await checkout({ amount: '', item_name: '' }, { colorScheme, width });
      await page.getByRole('radio', { name: /^Card/ }).check();
      await page.getByRole('button', { name: 'Pay' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByText('Paying as John Buyer').click();
      expect(await faults(page)).toEqual([]);
      await page.getByLabel('Amount in USD').fill('12');
      await page.getByRole('radio', { name: /^PayPal balance/ }).check();
      await page.getByRole('button', { name: 'Pay' }).click();
      await page.getByRole('heading', { name: 'You paid $12.00' }).waitFor();
      expect(await faults(page)).toEqual([]);
      const { transactionId } = (await payments())[0]!;
      const { open, captured, captureId } = await makeOrders();
      for (const path of [
        '/',
        `/checkoutnow?token=${open}`,
        `/checkoutnow?token=${captured}`,
        `/console/payments/${captureId}`,
        '/?invoice=none',
        `/console/payments/${transactionId}`,
        '/cgi-bin/webscr?cmd=_xclick',
      ]) {
        await page.goto(paypal.url + path);
        expect({ path, faults: await faults(page) }).toEqual({ path, faults: [] });
      }
    });
  });
});
