import type { Order, PlanSubscription } from '#libs/contracts';
import type { PayPalSimulator } from '../../stand-ins/paypal/client.js';
import type { DemoPlan } from './demo-people.js';
import type { SiteClient } from './site-client.js';

interface Subscriber {
  plan: PlanSubscription;
  /** PayPal's id of the subscription. */
  reference: string;
  customer: SiteClient;
}

/**
 * The monthly plans of the demo data. While it is made, the simulator's clock passes through the months in which it happened, so that PayPal charges
 * the plans on their days.
 */
export class DemoPlans {
  private readonly subscribers = new Map<DemoPlan, Subscriber>();

  private constructor(private readonly paypal: PayPalSimulator) {}

  /** Sets the clock of an unused simulator back. */
  static async from(paypal: PayPalSimulator, past: Date): Promise<DemoPlans> {
    await paypal.startClockAt(past);
    return new DemoPlans(paypal);
  }

  /** Advances the clock. The site reads each charge, and each end of a plan, at its time. */
  async travel(to: Date): Promise<void> {
    for (;;) {
      const [next] = [...this.subscribers.values()]
        .map((subscriber) => ({ subscriber, at: dueAt(subscriber.plan) }))
        .filter(({ at }) => at < to.getTime())
        .toSorted((a, b) => a.at - b.at);
      if (!next) break;
      await this.advance(new Date(next.at));
      await this.refresh(next.subscriber);
    }
    await this.advance(to);
  }

  /** The customer approves the plan of this order at PayPal, and comes back. */
  async approve(demo: DemoPlan, customer: SiteClient, orderId: string): Promise<void> {
    await customer.call('POST', `/order/${orderId}/payment`);
    const pending = (await this.paypal.subscriptions()).findLast(
      ({ status }) => status === 'APPROVAL_PENDING',
    );
    const reference = pending!.id;
    await this.paypal.approveSubscription(reference);
    await customer.call('POST', `/order/${orderId}/payment-return`, {});
    const { renewal } = await customer.call<Order>('GET', `/order/${orderId}`);
    const plan = await customer.call<PlanSubscription>('GET', planPath(renewal!.subscriptionId!));
    this.subscribers.set(demo, { plan, reference, customer });
  }

  /** Does what the customer does after a while. */
  async go(demo: DemoPlan): Promise<void> {
    const subscriber = this.subscribers.get(demo)!;
    if (demo.then!.what === 'declined') await this.paypal.fund(subscriber.reference, 'declined');
    else {
      await subscriber.customer.call('POST', `${planPath(subscriber.plan._id)}/cancel`, {});
      await this.refresh(subscriber);
    }
  }

  /** Brings the clock to the present. */
  async finish(): Promise<void> {
    await this.travel(new Date());
    for (const subscriber of this.subscribers.values()) await this.refresh(subscriber);
  }

  /** The orders of all charges, and the plans. */
  async made(): Promise<{ orders: Order[]; plans: PlanSubscription[] }> {
    const subscribers = [...this.subscribers.values()];
    const lists = await Promise.all(
      subscribers.map(({ customer }) => customer.call<Order[]>('GET', '/orders?limit=100')),
    );
    return { orders: lists.flat(), plans: subscribers.map(({ plan }) => plan) };
  }

  private async advance(to: Date): Promise<void> {
    const { now } = await this.paypal.clock();
    if (now < to) await this.paypal.advanceClock(to.getTime() - now.getTime());
  }

  private async refresh(subscriber: Subscriber): Promise<void> {
    const path = `${planPath(subscriber.plan._id)}/refresh`;
    subscriber.plan = await subscriber.customer.call<PlanSubscription>('POST', path, {});
  }
}

const planPath = (id: string) => `/plan-subscription/${id}`;

/** A minute after the next charge or the end. */
const dueAt = ({ nextChargeAt, endsOn }: PlanSubscription): number =>
  Date.parse(nextChargeAt ?? endsOn ?? '9999-01-01') + 60_000;
