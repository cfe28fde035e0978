import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { transaction } from '#libs/database';
import { OrderChanges } from '../../order/order-changes.js';
import type { OrderEntity } from '../../order/order.entity.js';
import type { TimelineInput } from '../../timeline/order-timeline.js';
import { PaymentAttemptEntity } from '../attempt/payment-attempt.entity.js';
import { PaymentAttempts } from '../attempt/payment-attempts.js';
import { PaymentLedger } from '../payment-ledger.js';
import { PaymentMetrics } from '../payment-metrics.js';
import { type FailedCheck, PaymentProvider } from '../payment-provider.js';
import { type LeasedNotice, NoticeInbox, type NoticeStatus } from './notice-inbox.js';

type Decision = Exclude<NoticeStatus, 'waiting'>;

interface Case {
  tx: EntityManager;
  /** Locked. */
  order: OrderEntity;
  attempt: PaymentAttemptEntity;
  body: Buffer;
  noticeId: string;
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
    private readonly ledger: PaymentLedger,
    private readonly provider: PaymentProvider,
    private readonly metrics: PaymentMetrics,
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
      const facts = { tx, order, attempt, body: notice.body, noticeId: notice.id, traceparent };
      return verdict === 'genuine' ? this.judge(facts) : this.refuse(facts);
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

  /** Genuine, and it carries the token of this attempt. */
  private async judge({ tx, order, attempt, body, noticeId, traceparent }: Case): Promise<Decision> {
    const reading = this.provider.read(body, attempt);
    const { facts } = reading;
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
      if (ingested !== 'contradicts') return this.settle(tx, noticeId, ingested);
    }
    const failed = reading.kind === 'held' ? reading.failed : [known];
    const line: TimelineInput = {
      kind: 'notice_held',
      text: `A message from ${this.provider.label} didn’t match this order. It doesn’t count until we’ve reviewed it.`,
      by: this.provider.label,
      evidence: { failed, ...facts },
    };
    // It was heard of: what the customer waits for now is an admin, not the provider.
    await this.attempts.noteOutcome(tx, attempt);
    await this.orders.apply(tx, order, { raise: ['notice_held'] }, [line], { traceparent });
    return this.settle(tx, noticeId, 'held', failed);
  }

  /** The provider has not written it. The first one is told; whoever holds a token could write thousands. */
  private async refuse({ tx, order, attempt, body, noticeId, traceparent }: Case): Promise<Decision> {
    await tx.increment(PaymentAttemptEntity, { id: attempt.id }, 'forgedNotices', 1);
    if (attempt.forgedNotices === 0) {
      const line: TimelineInput = {
        kind: 'notice_received',
        text: `Somebody sent a message in ${this.provider.label}’s name. It changed nothing.`,
        by: null,
        evidence: this.provider.factsIn(body),
      };
      await this.orders.apply(tx, order, {}, [line], { traceparent });
    }
    return this.settle(tx, noticeId, 'forged');
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
