import { expect } from '@jest/globals';
import type { Order, PlanSubscription } from '#libs/contracts';
import { eventually, type Session } from '#libs/testing';
import type { FundingSource, Subscription } from '../../../../dev/stand-ins/paypal/model.js';
import { type PlacedOrder, price, Shop, type ShopOptions } from './shop.harness.js';

export const dayMs = 86_400_000;

export interface Plan {
  /** Our id. */
  id: string;
  /** PayPal's id. */
  reference: string;
  order: PlacedOrder;
  customer: Session;
}

interface ChargeOrder {
  cycle: number;
  priceCents: number;
  paymentState: string;
  packageName: string;
  day: string;
}

export class Plans {
  constructor(readonly shop: Shop) {}

  /** PayPal's clock runs, and the test can also move it forward. */
  static async open(options: ShopOptions = {}): Promise<Plans> {
    return new Plans(await Shop.open({ product: 'checkout', paypalClock: 'running', ...options }));
  }

  /** The first order of a plan; not paid yet. */
  placeOrder(customer = this.shop.customer, amount = price): Promise<PlacedOrder> {
    return this.shop.placeOrderBy(customer, amount, 1);
  }

  /** Begins the checkout of a plan's first order. Returns PayPal's id of the new subscription. */
  async begin(order: PlacedOrder): Promise<string> {
    const { status, json, text } = await this.shop.payNow(order);
    expect(`${status} ${text}`).toMatch(/^201 /);
    // Only PayPal's page for approving a subscription has this parameter.
    expect(json.action).toContain('ba_token=');
    const { rows } = await this.shop.sql.query<{ reference: string }>(
      `SELECT checkout_reference AS reference FROM payment_attempts WHERE order_id = $1 ORDER BY id DESC LIMIT 1`,
      [order.id],
    );
    return rows[0]!.reference;
  }

  async subscribe({
    customer = this.shop.customer,
    amount = price,
    fund = 'ok' as FundingSource,
  } = {}): Promise<Plan> {
    const order = await this.placeOrder(customer, amount);
    const reference = await this.begin(order);
    await this.shop.paypal.approveSubscription(reference, { with: fund });
    await this.shop.returnFromPayment(order);
    const plan = { id: await this.idOf(reference), reference, order, customer };
    const state = fund === 'ok' ? 'active' : fund === 'declined' ? 'past_due' : 'pending';
    await this.waitForState(plan, state);
    return plan;
  }

  /** Turns PayPal's id into ours. */
  async idOf(reference: string): Promise<string> {
    const { rows } = await this.shop.sql.query<{ id: string }>(
      'SELECT id FROM subscriptions WHERE reference = $1',
      [reference],
    );
    expect(rows).toHaveLength(1);
    return rows[0]!.id;
  }

  /** The customer makes the call unless `by` is given. */
  async read({ id, customer }: Plan, by = customer): Promise<PlanSubscription> {
    const { status, json } = await by.get<PlanSubscription>(`/plan-subscription/${id}`);
    expect(status).toBe(200);
    return json;
  }

  async atPaypal({ reference }: Plan): Promise<Subscription> {
    const [found] = await this.shop.paypal.subscriptions({ subscriptionId: reference });
    return found!;
  }

  /** The plan's orders in the order of their cycles, including unpaid ones. `priceCents` is without added tax. */
  async chargeOrders({ id }: Plan): Promise<ChargeOrder[]> {
    const { rows } = await this.shop.sql.query<ChargeOrder>(
      `SELECT cycle, price_cents::int AS "priceCents", payment_state AS "paymentState",
         package_name AS "packageName", order_date::text AS day
       FROM orders WHERE subscription_id = $1 ORDER BY cycle`,
      [id],
    );
    return rows;
  }

  /** Moves PayPal's clock by milliseconds or to a date, and waits until our services have processed the charges that became due. */
  async advance(by: number | Date): Promise<void> {
    await this.shop.paypal.advanceClock(by);
    await this.settled();
  }

  /** Waits until all webhooks are processed and no inquiry is due. */
  async settled(): Promise<void> {
    await this.shop.settled();
    const now = (await this.shop.paypal.clock()).now;
    await eventually(async () => {
      // An inquiry counts as due until it has ended: the process that begins it moves `inquire_at` two minutes ahead, so 150 s find it.
      const { rows } = await this.shop.sql.query(
        `SELECT id FROM subscriptions WHERE inquire_at <= $1::timestamptz + interval '150 s'`,
        [now],
      );
      expect(rows).toEqual([]);
    });
  }

  /** Moves PayPal's clock to a minute after the plan's next charge is due. */
  async toNextCharge(plan: Plan): Promise<void> {
    const { nextBillingAt } = await this.atPaypal(plan);
    await this.advance(new Date(Date.parse(nextBillingAt!) + 60_000));
  }

  async waitForState(plan: Plan, state: PlanSubscription['state']): Promise<void> {
    await eventually(async () => expect((await this.read(plan)).state).toBe(state));
  }

  /** Our services may answer a request before PayPal has carried it out. */
  async waitForStatusAtPaypal(plan: Plan, status: Subscription['status']): Promise<void> {
    await eventually(async () => expect((await this.atPaypal(plan)).status).toBe(status));
  }

  /** The action must succeed. The customer makes the call unless `by` is given. */
  async act({ id, customer }: Plan, action: string, body?: object, by = customer): Promise<PlanSubscription> {
    const { status, json, text } = await by.post<PlanSubscription>(
      `/plan-subscription/${id}/${action}`,
      body,
    );
    expect(`${status} ${text}`).toMatch(/^200 /);
    return json;
  }

  async readOrder({ id, customer }: PlacedOrder): Promise<Order> {
    return (await customer.get<Order>(`/order/${id}`)).json;
  }

  /** What happened to the plan according to the published events, oldest first. */
  async news({ id }: Plan): Promise<string[]> {
    const { rows } = await this.shop.sql.query<{ news: string }>(
      `SELECT payload->>'news' AS news FROM outbox_messages
       WHERE event = 'subscriptions.changed' AND payload->>'subscriptionId' = $1 ORDER BY id`,
      [id],
    );
    return rows.map(({ news }) => news);
  }

  /** For plans without added tax. Compares PayPal's charges with our orders. Ignores failed and pending charges, and unpaid orders. */
  async expectBooksAgree(plan: Plan): Promise<void> {
    const { charges } = await this.atPaypal(plan);
    const paid = charges.filter(({ standing }) => !['Failed', 'Denied', 'Pending'].includes(standing));
    const orders = (await this.chargeOrders(plan)).filter(({ paymentState }) => paymentState !== 'unpaid');
    expect(orders.map(({ priceCents }) => priceCents)).toEqual(
      paid.map(({ gross }) => Math.round(Number(gross) * 100)),
    );
    expect(orders.map(({ cycle }) => cycle)).toEqual(paid.map((_, index) => index + 1));
  }
}
