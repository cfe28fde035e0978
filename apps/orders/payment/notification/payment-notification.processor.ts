import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { pauseAfter, transaction } from '#libs/database';
import { Clock } from '#libs/runtime';
import { OrderChangeService } from '../../order/order-change.service.js';
import type { OrderEntity } from '../../order/order.entity.js';
import { OrderRepository } from '../../order/order.repository.js';
import { OrderTimelineRepository, type TimelineInput } from '../../timeline/order-timeline.repository.js';
import type { PaymentAttemptEntity } from '../attempt/payment-attempt.entity.js';
import { PaymentAttemptRepository } from '../attempt/payment-attempt.repository.js';
import { PaymentLedgerService } from '../payment-ledger.service.js';
import { PaymentMetrics } from '../payment-metrics.js';
import type { FailedCheck, NotificationFacts, PaymentProvider, Reading } from '../payment-provider.js';
import { PaymentProviders } from '../payment-providers.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';
import {
  type LeasedNotification,
  type NotificationStatus,
  PaymentNotificationRepository,
} from './payment-notification.repository.js';

export type Decision = Exclude<NotificationStatus, 'waiting'>;

interface Incoming {
  tx: EntityManager;
  /** Locked. */
  order: OrderEntity;
  attempt: PaymentAttemptEntity;
  provider: PaymentProvider;
  body: Buffer;
  notificationId: string;
  receivedAt: Date;
  traceparent: string | undefined;
  /** Undefined for a report that the provider gave when it was asked. */
  leased?: LeasedNotification;
}

type ReportedAttempt = Pick<Incoming, 'order' | 'attempt' | 'provider' | 'body' | 'traceparent'>;

/** Of several decisions about one report, the first in this list is stored. */
const precedence: readonly Decision[] = ['held', 'recorded', 'remark', 'repeated'];

const contradiction: FailedCheck = {
  check: 'txn_id',
  expected: 'a transaction that is new, or known with the same terms',
  found: 'known with other terms',
};

/** Each decision and its effects commit in one transaction. */
@Injectable()
export class PaymentNotificationProcessor {
  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: PaymentNotificationRepository,
    private readonly attempts: PaymentAttemptRepository,
    private readonly orders: OrderRepository,
    private readonly changes: OrderChangeService,
    private readonly timeline: OrderTimelineRepository,
    private readonly ledger: PaymentLedgerService,
    private readonly providers: PaymentProviders,
    private readonly metrics: PaymentMetrics,
    private readonly clock: Clock,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  /** A hint (`PaymentProvider.notifiesByHint`) about no attempt of ours is not verified; its verdict is `stranger`. */
  async process(leased: LeasedNotification, verdict: 'genuine' | 'forged' | 'stranger'): Promise<void> {
    const { id: notificationId, body, receivedAt } = leased;
    const provider = this.providers.get(leased.provider);
    const decision = await transaction(this.dataSource, async (tx) => {
      const found = await this.attempts.findByReferences(tx, provider.name, provider.referencesOf(body));
      // The order is locked first, as it is wherever an order and its payments change.
      const order = found && (await this.orders.lock(tx, found.orderId));
      if (!(await this.notifications.lock(tx, leased))) return undefined;
      if (!found || !order || verdict === 'stranger')
        return this.storeDecision(tx, notificationId, verdict === 'forged' ? 'forged' : 'stranger');
      const attempt = await this.attempts.get(found.id, tx);
      const traceparent = leased.traceparent ?? undefined;
      const known = { tx, order, attempt, provider, body, notificationId, receivedAt };
      const incoming = { ...known, traceparent, leased };
      return verdict === 'genuine' ? this.accept(incoming) : this.handleForged(incoming, leased);
    });
    this.metrics.countDecision(decision);
  }

  /** A report about another order's attempt has no effect at all. */
  async processReport(
    provider: PaymentProvider,
    orderId: string,
    body: Buffer,
    traceparent?: string,
  ): Promise<void> {
    const decision = await transaction(this.dataSource, async (tx) => {
      const order = await this.orders.lock(tx, orderId);
      const found = await this.attempts.findByReferences(tx, provider.name, provider.referencesOf(body));
      if (!order || found?.orderId !== order.id) return 'refused' as const;
      const attempt = await this.attempts.get(found.id, tx);
      return this.acceptReport(tx, { order, attempt, provider, body, traceparent });
    });
    this.metrics.countDecision(decision);
  }

  /**
   * Uses the caller's transaction, which has locked the order. `attempt` must be one of this order. After the commit, the caller counts the decision
   * (`PaymentMetrics.countDecision`). Returns undefined if the report is stored already or says only how the checkout stands.
   */
  async acceptReport(
    tx: EntityManager,
    { order, attempt, provider, body, traceparent }: ReportedAttempt,
  ): Promise<Decision | undefined> {
    const receivedAt = this.clock.now();
    const [reading] = provider.read(body, attempt, receivedAt);
    if (reading?.kind === 'checkout') return this.attempts.applyCheckoutState(tx, attempt, reading.state);
    const hash = createHash('sha256').update(body).digest();
    const answer = { provider: provider.name, body, hash, attemptId: attempt.id };
    const notificationId = await this.notifications.insertAnswer(tx, answer);
    if (notificationId === undefined) return undefined;
    return this.accept({ tx, order, attempt, provider, body, notificationId, receivedAt, traceparent });
  }

  /** Undefined if the decision has to wait for another notification. */
  private async accept(incoming: Incoming): Promise<Decision | undefined> {
    const { tx, attempt, provider, body, notificationId, receivedAt, leased } = incoming;
    // The provider was asked because of this hint. Unless it refused to answer, its answer has had its effects already.
    if (leased && provider.notifiesByHint) return this.storeDecision(tx, notificationId, 'recorded');
    const decisions: (Decision | undefined)[] = [];
    for (const reading of provider.read(body, attempt, receivedAt))
      decisions.push(await this.applyReading(incoming, reading));
    if (decisions.includes(undefined)) return undefined;
    const [decision = 'repeated'] = decisions.sort((a, b) => precedence.indexOf(a!) - precedence.indexOf(b!));
    // `hold` has stored its decision already.
    return decision === 'held' ? decision : this.storeDecision(tx, notificationId, decision!);
  }

  private async applyReading(incoming: Incoming, reading: Reading): Promise<Decision | undefined> {
    const { tx, order, attempt, provider, notificationId, traceparent, leased } = incoming;
    switch (reading.kind) {
      case 'checkout':
        // Never reached: only reports about a checkout have this reading, and `acceptReport` handles those reports.
        return 'repeated';
      case 'remark': {
        const { text, raise, facts } = reading;
        const entry: TimelineInput = { kind: 'notice_received', text, by: provider.label, evidence: facts };
        await this.changes.apply(tx, order, { raise }, [entry], { traceparent });
        return 'remark';
      }
      case 'event': {
        const result = await this.ledger.record(tx, { order, attempt, reading, notificationId, traceparent });
        await this.notifications.wake(tx, attempt.id);
        return result === 'contradicts' ? this.hold(incoming, [contradiction], reading) : result;
      }
      case 'early':
        if (leased && (await this.mayWait(tx, order, leased, reading))) {
          const pauseMs = pauseAfter(leased.tries, this.settings);
          const failure = 'its payment is not known yet';
          await this.notifications.postpone(tx, leased, { pauseMs, failure, answer: 'confirmed' });
          return undefined;
        }
        return this.hold(incoming, reading.failed, reading);
      case 'held':
        return this.hold(incoming, reading.failed, reading);
    }
  }

  private async hold(
    { tx, order, attempt, provider, notificationId, traceparent }: Incoming,
    failed: FailedCheck[],
    { facts }: Extract<Reading, { facts: NotificationFacts }>,
  ): Promise<Decision> {
    const entry: TimelineInput = {
      kind: 'notice_held',
      text: `${provider.label} sent a message that didn’t match this order, so it changed nothing. We’re reviewing it.`,
      by: provider.label,
      evidence: { failed, ...facts },
    };
    // This is an outcome of the attempt: from now on the customer waits for an admin, not for the provider.
    await this.attempts.recordOutcome(tx, attempt);
    await this.changes.apply(tx, order, { raise: ['notice_held'] }, [entry], { traceparent });
    await this.notifications.wake(tx, attempt.id);
    return this.storeDecision(tx, notificationId, 'held', failed);
  }

  /** False if the notification has waited too long (`isOverdue`), or the payment's notification was held. */
  private async mayWait(
    tx: EntityManager,
    order: OrderEntity,
    leased: LeasedNotification,
    { payment }: Extract<Reading, { kind: 'early' }>,
  ): Promise<boolean> {
    if (this.isOverdue(leased)) return false;
    return !(await this.timeline.has(tx, order.id, 'notice_held', payment));
  }

  private isOverdue({ receivedAt }: LeasedNotification): boolean {
    return this.clock.now().getTime() - receivedAt.getTime() >= this.settings.undecidedForMs;
  }

  /**
   * A denial is sometimes wrong, so the provider is asked again until the notification `isOverdue`. Then the order is flagged, if it is not flagged
   * already. Only some notifications of each attempt are verified again and kept, because a buyer can read the attempt's token and could forge
   * thousands.
   */
  private async handleForged(
    { tx, order, attempt, provider, body, notificationId, traceparent }: Incoming,
    leased: LeasedNotification,
  ): Promise<Decision | undefined> {
    const { deniedKept, firstRetryMs, deniedLongestRetryMs: longestRetryMs } = this.settings;
    // Hints are signed: verifying one again would give the same verdict. Scheduled inquiries bring the report without the hint.
    if (provider.notifiesByHint) return this.finishForged(tx, attempt, notificationId);
    const isOverdue = this.isOverdue(leased);
    const mayVerifyAgain =
      !isOverdue &&
      (leased.denials > 0 || (await this.notifications.countDenied(tx, attempt.id)) < deniedKept);
    if (mayVerifyAgain) {
      const pauseMs = pauseAfter(leased.denials + 1, { firstRetryMs, longestRetryMs });
      const failure = 'the provider says that it did not send the notification';
      await this.notifications.postpone(tx, leased, { pauseMs, failure, answer: 'denied' });
      return undefined;
    }
    if (isOverdue && !order.flags.includes('unverified')) {
      const entry: TimelineInput = {
        kind: 'notice_received',
        text: `${provider.label} didn’t confirm a message about this order, so it changed nothing.`,
        by: null,
        evidence: provider.factsOf(body),
      };
      await this.changes.apply(tx, order, { raise: ['unverified'] }, [entry], { traceparent });
    }
    return this.finishForged(tx, attempt, notificationId);
  }

  /** The first forged notifications of each attempt are kept as evidence. */
  private async finishForged(
    tx: EntityManager,
    attempt: PaymentAttemptEntity,
    notificationId: string,
  ): Promise<Decision> {
    await this.attempts.incrementForged(tx, attempt);
    if (attempt.forgedNotifications < this.settings.deniedKept)
      return this.storeDecision(tx, notificationId, 'forged');
    await this.notifications.delete(tx, notificationId);
    return 'forged';
  }

  private async storeDecision(
    tx: EntityManager,
    id: string,
    decision: Decision,
    failed?: readonly FailedCheck[],
  ): Promise<Decision> {
    await this.notifications.storeDecision(tx, id, decision, failed);
    return decision;
  }
}
