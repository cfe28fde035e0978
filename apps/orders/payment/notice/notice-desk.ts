import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { pauseAfter, transaction } from '#libs/database';
import { OrderChanges } from '../../order/order-changes.js';
import type { OrderEntity } from '../../order/order.entity.js';
import { OrderTimeline, type TimelineInput } from '../../timeline/order-timeline.js';
import { PaymentAttemptEntity } from '../attempt/payment-attempt.entity.js';
import { PaymentAttempts } from '../attempt/payment-attempts.js';
import { PaymentLedger } from '../payment-ledger.js';
import { PaymentMetrics } from '../payment-metrics.js';
import { type FailedCheck, PaymentProvider, type Reading } from '../payment-provider.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';
import { type LeasedNotice, NoticeInbox, type NoticeStatus } from './notice-inbox.js';

type Decision = Exclude<NoticeStatus, 'waiting'>;

interface Case {
  tx: EntityManager;
  /** Locked. */
  order: OrderEntity;
  attempt: PaymentAttemptEntity;
  body: Buffer;
  noticeId: string;
  /** Undefined for what was told on being asked. */
  notice?: LeasedNotice;
  traceparent?: string;
}

const known: FailedCheck = {
  check: 'txn_id',
  expected: 'a transaction that is new, or known with the same terms',
  found: 'known with other terms',
};

/** Decides about notices once the provider has said whether it wrote them: all that follows commits in one transaction. */
@Injectable()
export class NoticeDesk {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: NoticeInbox,
    private readonly attempts: PaymentAttempts,
    private readonly orders: OrderChanges,
    private readonly timeline: OrderTimeline,
    private readonly ledger: PaymentLedger,
    private readonly provider: PaymentProvider,
    private readonly metrics: PaymentMetrics,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  async decide(notice: LeasedNotice, verdict: 'genuine' | 'forged'): Promise<void> {
    const decision = await transaction(this.dataSource, async (tx) => {
      const found = await this.attempts.byToken(tx, this.provider.tokenIn(notice.body));
      // The order first, as everybody locks it who goes on to an order's payments.
      const order = found && (await this.orders.lock(tx, found.orderId));
      if (!(await this.inbox.hold(tx, notice))) return undefined;
      if (!found || !order) return this.settle(tx, notice.id, verdict === 'genuine' ? 'stranger' : 'forged');
      const attempt = await tx.findOneByOrFail(PaymentAttemptEntity, { id: found.id });
      const traceparent = notice.traceparent ?? undefined;
      const facts = { tx, order, attempt, body: notice.body, noticeId: notice.id, notice, traceparent };
      return verdict === 'genuine' ? this.judge(facts) : this.refuse(facts, notice);
    });
    if (decision) this.metrics.decided(decision);
  }

  /**
   * The same for what the provider told when it was asked about a transaction that the buyer of this order named. False when that
   * transaction belongs to no attempt at this order: then it has no effect at all, wherever it belongs.
   */
  async decideAnswer(orderId: string, body: Buffer, traceparent?: string): Promise<boolean> {
    const decision = await transaction(this.dataSource, async (tx) => {
      const order = await this.orders.lock(tx, orderId);
      const attempt = await this.attempts.byToken(tx, this.provider.tokenIn(body));
      if (!order || attempt?.orderId !== order.id) return 'refused' as const;
      const noticeId = await this.inbox.keepAnswer(tx, body, attempt.id);
      if (noticeId === undefined) return undefined;
      return this.judge({ tx, order, attempt, body, noticeId, traceparent });
    });
    if (decision) this.metrics.decided(decision);
    return decision !== 'refused';
  }

  /** Genuine, and it carries the token of this attempt. Undefined: not yet to be decided. */
  private async judge({
    tx,
    order,
    attempt,
    body,
    noticeId,
    notice,
    traceparent,
  }: Case): Promise<Decision | undefined> {
    const reading = this.provider.read(body, attempt);
    const { facts } = reading;
    if (notice && reading.kind === 'early' && (await this.mayWait(tx, order, notice, reading))) {
      await this.inbox.waitForPayment(tx, noticeId, pauseAfter(notice.tries, this.settings));
      return undefined;
    }
    if (reading.kind === 'remark') {
      const line = {
        kind: 'notice_received',
        text: reading.text,
        by: this.provider.label,
        evidence: facts,
      } as const;
      await this.orders.apply(tx, order, { raise: reading.raise }, [line], { traceparent });
      return this.settle(tx, noticeId, 'remark');
    }
    if (reading.kind === 'event') {
      const { event } = reading;
      const ingested = await this.ledger.ingest(tx, { order, attempt, event, facts, noticeId, traceparent });
      await this.inbox.wake(tx, attempt.id);
      if (ingested !== 'contradicts') return this.settle(tx, noticeId, ingested);
    }
    const failed = reading.kind === 'event' ? [known] : reading.failed;
    const line: TimelineInput = {
      kind: 'notice_held',
      text: `A message from ${this.provider.label} didn’t match this order. It doesn’t count until we’ve reviewed it.`,
      by: this.provider.label,
      evidence: { failed, ...facts },
    };
    // It was heard of: what the customer waits for now is an admin, not the provider.
    await this.attempts.noteOutcome(tx, attempt);
    await this.orders.apply(tx, order, { raise: ['notice_held'] }, [line], { traceparent });
    await this.inbox.wake(tx, attempt.id);
    return this.settle(tx, noticeId, 'held', failed);
  }

  /** For its payment, which may be on its way, but not if that did not pass its own checks. */
  private async mayWait(
    tx: EntityManager,
    order: OrderEntity,
    notice: LeasedNotice,
    { parentTxnId }: Extract<Reading, { kind: 'early' }>,
  ): Promise<boolean> {
    if (this.isOverdue(notice)) return false;
    return !(await this.timeline.has(tx, order.id, 'notice_held', { txn_id: parentTxnId }));
  }

  private isOverdue({ receivedAt }: LeasedNotice): boolean {
    return Date.now() - receivedAt.getTime() >= this.settings.undecidedForMs;
  }

  /**
   * The provider says that it did not send it. That is sometimes a fault of the provider's, so it is asked again for some time. What stays
   * refused is kept, and the order is flagged. Of one attempt only some are asked about again and kept: who has a token, as the buyer has,
   * can forge thousands.
   */
  private async refuse(
    { tx, order, attempt, body, noticeId, traceparent }: Case,
    notice: LeasedNotice,
  ): Promise<Decision | undefined> {
    const { refusedKept, firstRetryMs, refusedLongestRetryMs: longestRetryMs } = this.settings;
    const isOverdue = this.isOverdue(notice);
    const mayAskAgain =
      !isOverdue && (notice.refusals > 0 || (await this.inbox.refused(tx, attempt.id)) < refusedKept);
    if (mayAskAgain) {
      const pauseMs = pauseAfter(notice.refusals + 1, { firstRetryMs, longestRetryMs });
      await this.inbox.doubt(tx, noticeId, pauseMs);
      return undefined;
    }
    await tx.increment(PaymentAttemptEntity, { id: attempt.id }, 'forgedNotices', 1);
    if (isOverdue && !order.flags.includes('unverified')) {
      const line: TimelineInput = {
        kind: 'notice_received',
        text: `${this.provider.label} didn’t confirm a message about this order, so it changed nothing.`,
        by: null,
        evidence: this.provider.factsIn(body),
      };
      await this.orders.apply(tx, order, { raise: ['unverified'] }, [line], { traceparent });
    }
    if (attempt.forgedNotices < refusedKept) return this.settle(tx, noticeId, 'forged');
    await this.inbox.remove(tx, noticeId);
    return 'forged';
  }

  private async settle(
    tx: EntityManager,
    id: string,
    decision: Decision,
    failed?: readonly FailedCheck[],
  ): Promise<Decision> {
    await this.inbox.settle(tx, id, decision, failed);
    return decision;
  }
}
