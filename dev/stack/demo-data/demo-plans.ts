import type { Order, PlanSubscription } from '#libs/contracts';
import type { PayPalSimulator } from '../../stand-ins/paypal/client.js';
import type { DemoPlan } from './demo-history.js';
import type { SiteClient } from './site-client.js';

interface ApprovedPlan {
  plan: PlanSubscription;
  /** PayPal's id of the subscription. */
  reference: string;
  customer: SiteClient;
}

/** The demo data's monthly plans. Moves the simulator's clock through the months, so that PayPal charges on the right days. */
export class DemoPlans {
  private readonly approvedPlans = new Map<DemoPlan, ApprovedPlan>();

  private constructor(private readonly paypal: PayPalSimulator) {}

  /** Sets the clock of the simulator, which must not hold any payment or subscription yet. */
  static async startAt(paypal: PayPalSimulator, past: Date): Promise<DemoPlans> {
    await paypal.startClockAt(past);
    return new DemoPlans(paypal);
  }

  /** Stops at each charge and each end of a plan, so that the site learns of it at that time. */
  async travel(to: Date): Promise<void> {
    for (;;) {
      const [next] = [...this.approvedPlans.values()]
        .map((approved) => ({ approved, at: dueAt(approved.plan) }))
        .filter(({ at }) => at < to.getTime())
        .toSorted((a, b) => a.at - b.at);
      if (!next) break;
      await this.advance(new Date(next.at));
      await this.refresh(next.approved);
    }
    await this.advance(to);
  }

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
    this.approvedPlans.set(demo, { plan, reference, customer });
  }

  async applyChange(demo: DemoPlan): Promise<void> {
    const approved = this.approvedPlans.get(demo)!;
    if (demo.change!.kind === 'declined') await this.paypal.setFunding(approved.reference, 'declined');
    else {
      await approved.customer.call('POST', `${planPath(approved.plan._id)}/cancel`, {});
      await this.refresh(approved);
    }
  }

  async finish(): Promise<void> {
    await this.travel(new Date());
    for (const approved of this.approvedPlans.values()) await this.refresh(approved);
  }

  /** All of these orders are for plans: customers with a plan place no others. */
  async ordersAndPlans(): Promise<{ orders: Order[]; plans: PlanSubscription[] }> {
    const approvedPlans = [...this.approvedPlans.values()];
    const lists = await Promise.all(
      approvedPlans.map(({ customer }) => customer.call<Order[]>('GET', '/orders?limit=100')),
    );
    return { orders: lists.flat(), plans: approvedPlans.map(({ plan }) => plan) };
  }

  private async advance(to: Date): Promise<void> {
    const { now } = await this.paypal.clock();
    if (now < to) await this.paypal.advanceClock(to.getTime() - now.getTime());
  }

  private async refresh(approved: ApprovedPlan): Promise<void> {
    const path = `${planPath(approved.plan._id)}/refresh`;
    approved.plan = await approved.customer.call<PlanSubscription>('POST', path, {});
  }
}

const planPath = (id: string) => `/plan-subscription/${id}`;

/** A minute after the next charge or the end; far in the future if there is neither. */
const dueAt = ({ nextChargeAt, endsOn }: PlanSubscription): number =>
  Date.parse(nextChargeAt ?? endsOn ?? '9999-01-01') + 60_000;
