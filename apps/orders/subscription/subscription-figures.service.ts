import { Injectable } from '@nestjs/common';
import { planSubscriptionContract, type SubscriptionFigures } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { dollarsOf } from '../money/price.js';
import { BillingClock } from '../payment/billing-clock.js';
import { SubscriptionFiguresRepository } from './subscription-figures.repository.js';

/** Monthly recurring revenue and what changes it, for admins. */
@Injectable()
export class SubscriptionFiguresService {
  constructor(
    private readonly figures: SubscriptionFiguresRepository,
    private readonly billing: BillingClock,
  ) {}

  @Handles(planSubscriptionContract.getSubscriptionFigures)
  async current(): Promise<SubscriptionFigures> {
    const now = this.billing.now();
    const [present, months] = await Promise.all([this.figures.present(now), this.figures.months(now)]);
    return {
      asOf: now.toISOString(),
      recurring: dollarsOf(present.recurring),
      inService: present.inService,
      pastDue: { plans: present.pastDue, amount: dollarsOf(present.pastDueCents) },
      expected: { charges: present.expected, amount: dollarsOf(present.expectedCents) },
      months: months.map(({ month, began, left, ...cents }) => ({
        ...{ month, began, left, recurring: dollarsOf(cents.recurring), new: dollarsOf(cents.new) },
        ...{ expansion: dollarsOf(cents.expansion), contraction: dollarsOf(cents.contraction) },
        churned: dollarsOf(cents.churned),
      })),
    };
  }
}
