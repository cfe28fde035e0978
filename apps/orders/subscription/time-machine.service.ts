import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, planSubscriptionContract, type TimeMachine as Time } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { BillingClock } from '../payment/billing-clock.js';
import { NoAnswerYet } from '../payment/payment-provider.js';
import { PaymentProviders } from '../payment/payment-providers.js';
import type { TimeMachine } from '../payment/subscription-provider.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { SubscriptionWorker } from './subscription.worker.js';

const dayMs = 86_400_000;
/** Rounds of inquiries after a day has passed. More would be needed only for thousands of plans, which the schedule finishes. */
const roundsAtMost = 50;
const pauseMs = 50;

/** Moves the clock of a simulated provider, so that an owner can watch plans renew, fail and end. */
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
  async get(): Promise<Time> {
    this.billing.aheadMs = await answered(this.machine().read());
    return this.view();
  }

  /** Throws NOT_FOUND where payments are real; UNAVAILABLE while the simulator does not answer. A transaction must not wait for the simulator, so the clock is moved before it. */
  @Handles(planSubscriptionContract.advanceTime)
  async advance(_: object, context: RequestContext): Promise<Time> {
    const machine = this.machine();
    const before = await this.inbox.replyTo<Time>(context);
    if (before) return before;
    this.billing.aheadMs = await answered(machine.advance(dayMs));
    await this.settle();
    return this.inbox.once(context, async (tx) => {
      const time = this.view();
      await this.audit.record(tx, context.actor, {
        ...{ section: 'timeMachine', recordId: 'timeMachine', name: 'Time machine', change: 'updated' },
        ...{ before: {}, after: { now: time.now } },
      });
      return time;
    });
  }

  /** Waits until what is due has been inquired about, here or in another process, but not forever. */
  private async settle(): Promise<void> {
    for (let round = 0; round < roundsAtMost; round += 1) {
      if ((await this.worker.inquireDue()) > 0) continue;
      if (!(await this.subscriptions.isInquiring(this.billing.now()))) return;
      await pause(pauseMs);
    }
  }

  private machine(): TimeMachine {
    const machine = this.providers.renewing?.timeMachine;
    if (!machine) throw new DomainError('NOT_FOUND');
    return machine;
  }

  private view(): Time {
    return {
      now: this.billing.now().toISOString(),
      aheadDays: Math.round((this.billing.aheadMs / dayMs) * 10) / 10,
    };
  }
}

async function answered(call: Promise<number>): Promise<number> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof NoAnswerYet)) throw error;
    throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 10 });
  }
}
