import { Injectable } from '@nestjs/common';
import { planSubscriptionContract, type SubscriptionFigures } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { dollarsOf } from '../money/price.js';
import { BillingClock } from '../payment/billing-clock.js';
import { SubscriptionFiguresRepository } from './subscription-figures.repository.js';

@Injectable()
export class SubscriptionFiguresService {
  constructor(
    private readonly figures: SubscriptionFiguresRepository,
    private readonly billing: BillingClock,
  ) {}

  @Handles(planSubscriptionContract.getSubscriptionFigures)
  async get(): Promise<SubscriptionFigures> {
    const now = this.billing.now();
    const [current, months] = await Promise.all([this.figures.getCurrent(now), this.figures.listMonths(now)]);
    return {
      asOf: now.toISOString(),
      recurring: dollarsOf(current.recurringCents),
      inService: current.plansInService,
      pastDue: { plans: current.plansPastDue, amount: dollarsOf(current.pastDueCents) },
      expected: { charges: current.expectedCharges, amount: dollarsOf(current.expectedCents) },
      months: months.map(({ month, began, left, ...cents }) => ({
        ...{ month, began, left, recurring: dollarsOf(cents.recurring), new: dollarsOf(cents.new) },
        ...{ expansion: dollarsOf(cents.expansion), contraction: dollarsOf(cents.contraction) },
        churned: dollarsOf(cents.churned),
      })),
    };
  }
}
