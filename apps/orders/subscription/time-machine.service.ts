import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, planSubscriptionContract, type TimeMachine as TimeMachineView } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { addSeconds } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { BillingClock } from '../payment/billing-clock.js';
import { PaymentProviders } from '../payment/payment-providers.js';
import type { SimulatedClock } from '../payment/subscription-provider.js';
import { NoAnswerYet } from '../provider-request/provider-request.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { SubscriptionWorker } from './subscription.worker.js';

const dayMs = 86_400_000;
/** `advance` waits for at most this many rounds of inquiries or pauses. After that, the worker makes the inquiries that are still due. */
const maxRounds = 50;
const pauseMs = 50;

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

  /** Throws NOT_FOUND without a simulator; UNAVAILABLE while it does not answer. */
  @Handles(planSubscriptionContract.getTimeMachine)
  async get(): Promise<TimeMachineView> {
    this.billing.aheadMs = await orUnavailable(this.simulatedClock().readAheadMs());
    return timeMachineView(this.billing.now(), this.billing.aheadMs);
  }

  /**
   * The new time is stored first and is the same for each repetition of the request, so the clock moves only once. Throws NOT_FOUND without a
   * simulator; UNAVAILABLE while it does not answer.
   */
  @Handles(planSubscriptionContract.advanceTime)
  async advance(_: object, context: RequestContext): Promise<TimeMachineView> {
    const clock = this.simulatedClock();
    this.billing.aheadMs = await orUnavailable(clock.readAheadMs());
    const time = await this.inbox.once(context, async (tx) => {
      const next = timeMachineView(
        addSeconds(this.billing.now(), dayMs / 1000),
        this.billing.aheadMs + dayMs,
      );
      await this.audit.record(tx, context.actor, {
        ...{ section: 'timeMachine', recordId: 'timeMachine', name: 'Time machine', change: 'updated' },
        ...{ before: {}, after: { now: next.now } },
      });
      return next;
    });
    // A transaction must not wait for the simulator.
    this.billing.aheadMs = await orUnavailable(clock.advanceTo(new Date(time.now)));
    await this.inquireAllDue();
    return time;
  }

  /** Also waits for the inquiries of other processes, but not forever. */
  private async inquireAllDue(): Promise<void> {
    for (let round = 0; round < maxRounds; round += 1) {
      if ((await this.worker.inquireDue()) > 0) continue;
      if (!(await this.subscriptions.hasInquiriesDueOrRunning(this.billing.now()))) return;
      await pause(pauseMs);
    }
  }

  private simulatedClock(): SimulatedClock {
    const clock = this.providers.forPlans?.simulatedClock;
    if (!clock) throw new DomainError('NOT_FOUND');
    return clock;
  }
}

function timeMachineView(now: Date, aheadMs: number): TimeMachineView {
  return { now: now.toISOString(), aheadDays: Math.round((aheadMs / dayMs) * 10) / 10 };
}

async function orUnavailable(call: Promise<number>): Promise<number> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof NoAnswerYet)) throw error;
    throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 10 });
  }
}
