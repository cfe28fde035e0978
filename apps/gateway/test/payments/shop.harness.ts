import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect } from '@jest/globals';
import type {
  CheckoutForm,
  Order,
  OrderFlag,
  OrderPayment,
  PaymentOutlook,
  PaymentState,
} from '#libs/contracts';
import { type Answer, eventually, type Session } from '#libs/testing';
import type { PaymentForm, PayPalSimulator } from '../../../../dev/stand-ins/paypal/client.js';
import type { Payment, PaymentMethod } from '../../../../dev/stand-ins/paypal/model.js';
import type { Problem } from '../../problem/problem.js';
import { accountIdOf, type SiteOptions, type SiteUnderTest, startSite } from '../site.harness.js';

/** The shop's app at PayPal, for PayPal Checkout. */
export const app = {
  clientId: 'AZ-the-client-id-of-the-shop',
  secret: 'the client secret of the shop',
  webhookId: '5GP028458E2496506',
};

const credentials = {
  PAYPAL_CLIENT_ID: app.clientId,
  PAYPAL_CLIENT_SECRET: app.secret,
  PAYPAL_WEBHOOK_ID: app.webhookId,
};

/** PayPal Payments Standard, or PayPal Checkout (Orders v2). */
export type Product = 'standard' | 'checkout';

export const shopAddress = 'shop@example.com';
export const price = '290.00';

export interface PlacedOrder {
  id: string;
  customer: Session;
}

export interface StoredOrder {
  paymentStatus: 'UnPaid' | 'Paid' | 'Cancelled';
  paymentState: PaymentState;
  flags: OrderFlag[];
  payments: OrderPayment[];
  refundedCents: number;
  version: number;
}

export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

/**
 * What we should have stored for an order, derived from its payments in PayPal's ledger alone. Ignores payments that are Denied, Expired or Voided,
 * although the shop stores `failed` for them.
 */
export function expectedState(payments: readonly Payment[]) {
  const standings = payments.map(({ standing }) => standing);
  const precedence = [
    ['Completed', 'paid'],
    ['Partially_Refunded', 'partially_refunded'],
    ['Reversed', 'disputed'],
    ['Pending', 'pending'],
    ['Refunded', 'refunded'],
    ['Failed', 'failed'],
  ] as const;
  const paymentState = precedence.find(([standing]) => standings.includes(standing))?.[1] ?? 'unpaid';
  const refundedCents = payments.reduce((sum, { refunded }) => sum + Math.round(Number(refunded) * 100), 0);
  return { paymentState, refundedCents };
}

export interface ShopOptions {
  /** Default: standard. */
  product?: Product;
  ordersSettings?: Record<string, string>;
  /** For the gateways. */
  settings?: Record<string, string>;
  /** Default: content, messaging and projects. */
  without?: SiteOptions['without'];
  processes?: SiteOptions['processes'];
  paypalClock?: SiteOptions['paypalClock'];
}

export class Shop {
  private constructor(
    private product: Product,
    readonly site: SiteUnderTest,
    readonly sql: pg.Client,
    readonly customer: Session,
  ) {}

  static async open({
    product = 'standard',
    ordersSettings = {},
    settings = {},
    without = ['content', 'messaging', 'projects'],
    processes,
    paypalClock = 'frozen',
  }: ShopOptions = {}): Promise<Shop> {
    const shortWaits = {
      NOTICE_RETRY_MS: '50',
      NOTICE_RETRY_LONGEST_MS: '400',
      NOTICE_REFUSED_SECONDS: '1',
      PAYPAL_TIMEOUT_MS: '1000',
    };
    const site = await startSite({
      without,
      processes,
      paypalClock,
      settings,
      ordersSettings: { ...shortWaits, ...(product === 'checkout' && credentials), ...ordersSettings },
    });
    await site.paypal.setUpApp({ ...app, email: shopAddress, webhookUrl: `${site.url}/paypal/webhook` });
    const sql = new pg.Client({ connectionString: site.databaseUrls.orders });
    await sql.connect();
    const customer = await site.customer();
    const shop = new Shop(product, site, sql, customer);
    await shop.setAddress(shopAddress);
    return shop;
  }

  /** The owner sets the credentials of PayPal Checkout, and restarts the orders service. */
  async changeToCheckout(): Promise<void> {
    await this.site.orders.at(-1)!.stop();
    await this.site.startOrders(credentials);
    this.product = 'checkout';
  }

  async close(): Promise<void> {
    await this.sql.end();
    await this.site.stop();
  }

  get paypal(): PayPalSimulator {
    return this.site.paypal;
  }

  get ipnUrl(): string {
    return `${this.site.url}/paypal/ipn`;
  }

  get webhookUrl(): string {
    return `${this.site.url}/paypal/webhook`;
  }

  /** Later payment attempts pay to this PayPal account. */
  async setAddress(address: string): Promise<void> {
    const admin = await this.site.admin();
    const [known] = (await admin.get<{ _id: string }[]>('/paypal-email')).json;
    const body = { paypalEmail: address };
    const { status } = known
      ? await admin.put(`/paypal-email/${known._id}`, body)
      : await admin.post('/add-email', body);
    expect(status).toBe(known ? 200 : 201);
  }

  placeOrder(amount = price): Promise<PlacedOrder> {
    return this.placeOrderBy(this.customer, amount);
  }

  /** Inserts the order into the database. `cycle` is 1 for the first order of a monthly plan. */
  async placeOrderBy(customer: Session, amount = price, cycle: 1 | null = null): Promise<PlacedOrder> {
    const id = randomUUID();
    await this.sql.query(
      `INSERT INTO orders (id, account_id, order_date, customer_name, customer_email, customer_address,
         customer_country, package_name, package_price, price_cents, created_at, updated_at, cycle)
       VALUES ($1, $2, now(), 'Ada', $3, 'Street 1', 'Denmark', 'Premium', $4, $5, now(), now(), $6)`,
      [id, accountIdOf(customer), customer.email, amount, Math.round(Number(amount) * 100), cycle],
    );
    return { id, customer };
  }

  /** The answer may be a refusal. The customer makes the call unless `by` is given. */
  payNow({ id, customer }: PlacedOrder, by = customer): Promise<Answer<CheckoutForm & Problem>> {
    return by.post(`/order/${id}/payment`, undefined);
  }

  /** The answer may be a refusal. The customer makes the call unless `by` is given. */
  cancel({ id, customer }: PlacedOrder, by = customer): Promise<Answer<Order & Problem>> {
    return by.put(`/order-cancelled/${id}`, { paymentStatus: 'Cancelled' });
  }

  /** Calls Pay Now. Changes `notify_url` in the form to the gateway's real address, because PUBLIC_URL leads nowhere in tests. */
  async form(order: PlacedOrder): Promise<PaymentForm> {
    const answer = await this.payNow(order);
    expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
    const fields = Object.fromEntries(answer.json.fields.map(({ name, value }) => [name, value]));
    return { ...fields, notify_url: this.ipnUrl };
  }

  /** Calls Pay Now, and returns PayPal's id of the order. */
  async checkoutReference(order: PlacedOrder): Promise<string> {
    const answer = await this.payNow(order);
    expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
    expect(answer.json.fields).toEqual([]);
    return new URL(answer.json.action).searchParams.get('token')!;
  }

  /** The buyer does not return to the shop. */
  async pay(order: PlacedOrder, options: { with?: PaymentMethod } = {}): Promise<void> {
    if (this.product === 'standard') await this.paypal.pay(await this.form(order), options);
    else await this.paypal.approveOrder(await this.checkoutReference(order), options);
  }

  /** The `invoice` of the order's payments at PayPal; with PayPal Checkout, of its first attempt's payments. */
  async invoiceOf({ id }: PlacedOrder): Promise<string> {
    if (this.product === 'standard') return id;
    const { rows } = await this.sql.query<{ number: string }>('SELECT number FROM orders WHERE id = $1', [
      id,
    ]);
    return rows[0]!.number;
  }

  async payments(order: PlacedOrder): Promise<Payment[]> {
    return (await this.paypal.ledger({ invoice: await this.invoiceOf(order) })).payments;
  }

  /** `tx` is the parameter that PayPal has added to the return URL. */
  async returnFromPayment({ id, customer }: PlacedOrder, tx?: string): Promise<PaymentOutlook> {
    const answer = await customer.post<{ outlook: PaymentOutlook }>(`/order/${id}/payment-return`, { tx });
    expect(`${answer.status} ${answer.text}`).toMatch(/^200 /);
    return answer.json.outlook;
  }

  /** Makes an inquiry due for each payment attempt, even if none was scheduled. */
  async inquireNow({ id }: PlacedOrder): Promise<void> {
    await this.sql.query('UPDATE payment_attempts SET inquire_at = now() WHERE order_id = $1', [id]);
  }

  async cancelInquiries({ id }: PlacedOrder): Promise<void> {
    await this.sql.query('UPDATE payment_attempts SET inquire_at = NULL WHERE order_id = $1', [id]);
  }

  /** Posts to the address for IPNs, as anybody can. */
  async notify(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return fetch(this.ipnUrl, { method: 'POST', headers: { ...type, ...headers }, body: body as string });
  }

  /** Waits until PayPal has sent all due notifications and all of them were processed. */
  async settled(): Promise<void> {
    await this.paypal.waitUntilIdle();
    expect(await this.paypal.ipns({ state: 'waiting' })).toEqual([]);
    await eventually(async () => expect(await this.waitingNotifications()).toEqual([]));
  }

  async storedOrder({ id }: PlacedOrder): Promise<StoredOrder> {
    const { rows } = await this.sql.query<StoredOrder>(
      `SELECT payment_status AS "paymentStatus", payment_state AS "paymentState", flags, payments,
         refunded_cents::int AS "refundedCents", version FROM orders WHERE id = $1`,
      [id],
    );
    return rows[0]!;
  }

  private async waitingNotifications(): Promise<unknown[]> {
    const { rows } = await this.sql.query<{ last_failure: string }>(
      `SELECT last_failure FROM payment_notices WHERE status = 'waiting'`,
    );
    return rows;
  }

  async countNotifications(status: string): Promise<number> {
    const { rows } = await this.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM payment_notices WHERE status = $1',
      [status],
    );
    return rows[0]!.count;
  }

  /** What was decided about each notification, how often it was received, and which checks failed. */
  async decisions({ id }: PlacedOrder): Promise<{ status: string; receipts: number; failed: string[] }[]> {
    const { rows } = await this.sql.query<{ status: string; receipts: number; failed: string[] }>(
      `SELECT notification.status, notification.receipts,
         ARRAY(SELECT jsonb_array_elements(failed_checks)->>'check') AS failed
       FROM payment_notices notification JOIN payment_attempts attempt ON attempt.id = notification.attempt_id
       WHERE attempt.order_id = $1 ORDER BY notification.id`,
      [id],
    );
    return rows;
  }

  /** Statuses as PayPal spells them. */
  async paymentEvents({ id }: PlacedOrder): Promise<string[]> {
    const { rows } = await this.sql.query<{ status: string }>(
      'SELECT status FROM payment_events WHERE order_id = $1 ORDER BY id',
      [id],
    );
    return rows.map(({ status }) => status);
  }

  async timeline({ id }: PlacedOrder): Promise<{ kind: string; text: string; evidence: object }[]> {
    const { rows } = await this.sql.query<{ kind: string; text: string; evidence: object }>(
      'SELECT kind, text, evidence FROM order_timeline WHERE order_id = $1 ORDER BY id',
      [id],
    );
    return rows;
  }

  async outboxEvents({ id }: PlacedOrder): Promise<string[]> {
    const { rows } = await this.sql.query<{ event: string }>(
      `SELECT event FROM outbox_messages WHERE payload->>'orderId' = $1 ORDER BY id`,
      [id],
    );
    return rows.map(({ event }) => event);
  }
}
