import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, planSubscriptionContract, type TimeMachine as TimeMachineView } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { BillingClock } from '../payment/billing-clock.js';
import { PaymentProviders } from '../payment/payment-providers.js';
import type { SimulatedClock } from '../payment/subscription-provider.js';
import { NoAnswerYet } from '../provider-request/provider-request.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { SubscriptionWorker } from './subscription.worker.js';

const dayMs = 86_400_000;
/** The most rounds, each of inquiries or a pause, after the clock was moved by a day. With many plans, the worker does the rest later. */
const maxRounds = 50;
const pauseMs = 50;

/** Moves the clock of a simulated provider, so that an admin can watch plans renew, fail and end. */
@Injectable()
export class TimeMachineService {
  constructor(
    private readonly inbox: Inbox,
    private readonly providers: PaymentProviders,
    private readonly worker: SubscriptionWorker,
    private readonly subscriptions: SubscriptionRepository,
    private readonly billing: BillingClock,
    private readonly audit: AuditTrail,
  ) {}

  /** Throws NOT_FOUND where payments are real; UNAVAILABLE while the simulator does not answer. */
  @Handles(planSubscriptionContract.getTimeMachine)
  async get(): Promise<TimeMachineView> {
    this.billing.aheadMs = await orUnavailable(this.simulatedClock().read());
    return this.view();
  }

  /**
   * Moves the clock by one day, before the transaction begins, because a transaction must not wait for the simulator. Throws NOT_FOUND where payments
   * are real; UNAVAILABLE while the simulator does not answer.
   */
  @Handles(planSubscriptionContract.advanceTime)
  async advance(_: object, context: RequestContext): Promise<TimeMachineView> {
    const clock = this.simulatedClock();
    const storedReply = await this.inbox.findReply<TimeMachineView>(context);
    if (storedReply) return storedReply;
    this.billing.aheadMs = await orUnavailable(clock.advance(dayMs));
    await this.waitForInquiries();
    return this.inbox.once(context, async (tx) => {
      const time = this.view();
      await this.audit.record(tx, context.actor, {
        ...{ section: 'timeMachine', recordId: 'timeMachine', name: 'Time machine', change: 'updated' },
        ...{ before: {}, after: { now: time.now } },
      });
      return time;
    });
  }

  /** Inquires about what is due, and waits for the inquiries of other processes, but not forever. */
  private async waitForInquiries(): Promise<void> {
    for (let round = 0; round < maxRounds; round += 1) {
      if ((await this.worker.inquireDue()) > 0) continue;
      if (!(await this.subscriptions.hasInquiriesDueOrRunning(this.billing.now()))) return;
      await pause(pauseMs);
    }
  }

  private simulatedClock(): SimulatedClock {
    const clock = this.providers.renewing?.simulatedClock;
    if (!clock) throw new DomainError('NOT_FOUND');
    return clock;
  }

  private view(): TimeMachineView {
    return {
      now: this.billing.now().toISOString(),
      aheadDays: Math.round((this.billing.aheadMs / dayMs) * 10) / 10,
    };
  }
}

async function orUnavailable(call: Promise<number>): Promise<number> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof NoAnswerYet)) throw error;
    throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 10 });
  }
}
