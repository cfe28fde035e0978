import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import { sha256, uuidv7 } from '#libs/database';
import { Clock, addSeconds } from '#libs/runtime';
import type { OrderEntity } from '../../order/order.entity.js';
import type { AttemptReferences, CheckoutState, StartedCheckout } from '../payment-provider.js';
import { PaymentAttemptEntity } from './payment-attempt.entity.js';

export type NewAttempt = Pick<
  PaymentAttemptEntity,
  'orderId' | 'kind' | 'provider' | 'environment' | 'receiver' | 'amountCents' | 'currency' | 'itemName'
>;

type OrderMoney = Pick<OrderEntity, 'providerState' | 'refundedCents'>;

const tokenBytes = 16;
/** A buyer who pays again within this time uses the open attempt again. An older checkout may have expired at the provider. */
const reuseSeconds = 3 * 60 * 60;
/** Each later inquiry is due when the attempt is twice as old as at the previous one. */
const firstInquirySeconds = 30;
/** No further inquiry is scheduled about an attempt that is older than this, because the provider's deadline for disputes has passed. */
const lastInquiryDays = 180;
const whereOpen = { outcomeAt: IsNull(), missedAt: IsNull() };

@Injectable()
export class PaymentAttemptRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** `invoice` is what the provider calls an invoice number. It must differ for each attempt. */
  async insert(tx: EntityManager, terms: NewAttempt, orderNumber: string): Promise<PaymentAttemptEntity> {
    const token = randomBytes(tokenBytes).toString('hex');
    const earlierAttempts = await tx.countBy(PaymentAttemptEntity, { orderId: terms.orderId });
    const invoice = earlierAttempts === 0 ? orderNumber : `${orderNumber}-${earlierAttempts + 1}`;
    const attempt = Object.assign(new PaymentAttemptEntity(), {
      ...terms,
      ...{ id: uuidv7(), invoice, token, tokenDigest: sha256(token), createdAt: this.clock.now() },
    });
    await tx.insert(PaymentAttemptEntity, attempt);
    return attempt;
  }

  /** The newest open attempt of the last `reuseSeconds` on the same terms. Only the item's name may differ. */
  findOpen(tx: EntityManager, { itemName: _, ...terms }: NewAttempt): Promise<PaymentAttemptEntity | null> {
    return tx.findOne(PaymentAttemptEntity, {
      where: {
        ...terms,
        ...whereOpen,
        createdAt: MoreThan(addSeconds(this.clock.now(), -reuseSeconds)),
      },
      order: { id: 'DESC' },
    });
  }

  findNewest(manager: EntityManager, orderId: string): Promise<PaymentAttemptEntity | null> {
    return manager.findOne(PaymentAttemptEntity, { where: { orderId }, order: { id: 'DESC' } });
  }

  /** The newest two attempts without an outcome whose checkout the provider can be asked about, newest first. */
  listUnsettled(manager: EntityManager, orderId: string): Promise<PaymentAttemptEntity[]> {
    return manager.find(PaymentAttemptEntity, {
      where: { orderId, outcomeAt: IsNull(), checkoutReference: Not(IsNull()) },
      order: { id: 'DESC' },
      take: 2,
    });
  }

  /** The references may come from a forged notification, so an attempt that is found proves nothing. */
  async findByReferences(
    manager: EntityManager,
    provider: string,
    { token, checkoutReference, txnId }: AttemptReferences,
  ): Promise<PaymentAttemptEntity | null> {
    if (txnId !== undefined) {
      // Comes first: a dispute about a plan's charge has the token of the attempt with which the customer approved the plan. A dispute about a charge
      // that is on hold still leads to that attempt, because the charge has no event.
      const [event] = await manager.sql<{ attempt_id: string }[]>`
        SELECT attempt_id FROM payment_events WHERE provider = ${provider} AND txn_id = ${txnId} LIMIT 1`;
      if (event) return manager.findOneBy(PaymentAttemptEntity, { id: event.attempt_id });
    }
    if (token !== undefined) return this.findByToken(manager, provider, token);
    if (checkoutReference === undefined) return null;
    return manager.findOneBy(PaymentAttemptEntity, { provider, checkoutReference });
  }

  async findByTransaction(
    manager: EntityManager,
    orderId: string,
    txnId: string,
  ): Promise<PaymentAttemptEntity | null> {
    const [event] = await manager.sql<{ attempt_id: string }[]>`
      SELECT attempt_id FROM payment_events WHERE order_id = ${orderId} AND txn_id = ${txnId} LIMIT 1`;
    return event ? manager.findOneBy(PaymentAttemptEntity, { id: event.attempt_id }) : null;
  }

  /**
   * Refunds that were requested on the site or made at the provider. A `noted` event that has a parent is a refund that is pending, has failed or
   * was cancelled.
   */
  async listRefundTxnIds(manager: EntityManager, { id }: PaymentAttemptEntity): Promise<string[]> {
    const rows = await manager.sql<{ txn_id: string }[]>`
      SELECT refund_txn_id AS txn_id FROM payment_refunds WHERE attempt_id = ${id} AND refund_txn_id IS NOT NULL
      UNION
      SELECT txn_id FROM payment_events
      WHERE attempt_id = ${id} AND movement IN ('refunded', 'noted') AND parent_txn_id IS NOT NULL`;
    return rows.map(({ txn_id: txnId }) => txnId);
  }

  /** A charge has no checkout: its transaction id is stored in place of the checkout's reference. */
  async insertChargeAttempt(
    tx: EntityManager,
    terms: NewAttempt,
    { orderNumber, txnId }: { orderNumber: string; txnId: string },
  ): Promise<PaymentAttemptEntity> {
    const attempt = await this.insert(tx, terms, orderNumber);
    const inquireAt = addSeconds(this.clock.now(), firstInquirySeconds);
    await tx.update(PaymentAttemptEntity, attempt.id, { checkoutReference: txnId, inquireAt });
    return Object.assign(attempt, { checkoutReference: txnId, inquireAt });
  }

  /** By transaction id, with their orders. Leaves out transactions that are not stored as charges. */
  async findChargeAttempts(
    manager: EntityManager,
    provider: string,
    txnIds: readonly string[],
  ): Promise<Map<string, { attempt: PaymentAttemptEntity; order: OrderMoney }>> {
    const attempts = await manager.findBy(PaymentAttemptEntity, {
      ...{ kind: 'charge', provider, checkoutReference: In([...txnIds]) },
    });
    const rows = await manager.sql<(OrderMoney & { id: string })[]>`
      SELECT id, provider_state AS "providerState", refunded_cents::float8 AS "refundedCents" FROM orders
      WHERE id = ANY (${attempts.map(({ orderId }) => orderId)}::uuid[])`;
    const orders = new Map(rows.map((row) => [row.id, row]));
    return new Map(
      attempts.map((attempt) => [
        attempt.checkoutReference!,
        { attempt, order: orders.get(attempt.orderId)! },
      ]),
    );
  }

  hasChargeAttempt(tx: EntityManager, orderId: string): Promise<boolean> {
    return tx.existsBy(PaymentAttemptEntity, { orderId, kind: 'charge' });
  }

  /** Gives an outcome to all open attempts to approve the order's plan: the plan's first charge was recorded or has failed. */
  async settleApproval(tx: EntityManager, orderId: string): Promise<void> {
    await tx.update(
      PaymentAttemptEntity,
      { orderId, kind: 'subscription', ...whereOpen },
      { outcomeAt: this.clock.now() },
    );
  }

  /** How long this takes reveals nothing about tokens: the attempt is found by the token's digest, and digests are compared in constant time. */
  private async findByToken(
    manager: EntityManager,
    provider: string,
    token: string,
  ): Promise<PaymentAttemptEntity | null> {
    if (token === '') return null;
    const tokenDigest = sha256(token);
    const attempt = await manager.findOneBy(PaymentAttemptEntity, { tokenDigest, provider });
    return attempt && timingSafeEqual(attempt.tokenDigest, tokenDigest) ? attempt : null;
  }

  get(id: string, manager: EntityManager = this.dataSource.manager): Promise<PaymentAttemptEntity> {
    return manager.findOneByOrFail(PaymentAttemptEntity, { id });
  }

  /** Marks all open attempts of the order. While an open attempt has a `returnedAt`, no payment of the order can begin (`PaymentHoldRepository`). */
  async recordReturn(manager: EntityManager, orderId: string): Promise<void> {
    const notReturned = { orderId, ...whereOpen, returnedAt: IsNull() };
    await manager.update(PaymentAttemptEntity, notReturned, { returnedAt: this.clock.now() });
  }

  /**
   * For an attempt about which the provider refuses to say anything. False, and without effect, if its money may have been taken or it was reported
   * as missed.
   */
  async forgetReturn(manager: EntityManager, { id }: PaymentAttemptEntity): Promise<boolean> {
    const { affected } = await manager.update(
      PaymentAttemptEntity,
      { id, capturing: false, missedAt: IsNull() },
      { returnedAt: null },
    );
    return affected === 1;
  }

  /** If the provider has created a checkout, also schedules the first inquiry. */
  async storeCheckout(
    tx: EntityManager,
    attempt: PaymentAttemptEntity,
    { reference, receiverAccount }: StartedCheckout,
  ): Promise<void> {
    await this.storeReceiverAccount(tx, attempt, receiverAccount ?? null);
    if (reference === undefined || attempt.checkoutReference !== null) return;
    const inquireAt = addSeconds(this.clock.now(), firstInquirySeconds);
    const values = { checkoutReference: reference, inquireAt };
    await tx.update(PaymentAttemptEntity, { id: attempt.id, checkoutReference: IsNull() }, values);
    Object.assign(attempt, values);
  }

  /**
   * False if another attempt has the claim, or if this one was reported as missed or has an outcome: a payment that failed is never tried again
   * automatically. The caller has locked the order, so claims are made one at a time.
   */
  async claimCapture(tx: EntityManager, { id, orderId }: PaymentAttemptEntity): Promise<boolean> {
    if (await tx.existsBy(PaymentAttemptEntity, { orderId, capturing: true, id: Not(id) })) return false;
    const { affected } = await tx.update(PaymentAttemptEntity, { id, ...whereOpen }, { capturing: true });
    return affected === 1;
  }

  /** The attempt has failed: another one may take the order's money. */
  async releaseCapture(tx: EntityManager, { id }: PaymentAttemptEntity): Promise<void> {
    await tx.update(PaymentAttemptEntity, { id, capturing: true }, { capturing: false });
  }

  /**
   * Attempts whose buyers have returned are taken first, then the newest ones. Schedules the next inquiry about each, so that no other process takes
   * them now. For attempts older than `lastInquiryDays`, this inquiry is the last.
   */
  async takeDue(manager: EntityManager, count: number): Promise<PaymentAttemptEntity[]> {
    const [rows] = await manager.sql<[{ id: string }[], number]>`
      UPDATE payment_attempts
      SET inquire_at = CASE WHEN created_at > now() - ${lastInquiryDays} * interval '1 day'
        THEN now() + GREATEST(now() - created_at, ${firstInquirySeconds} * interval '1 s') END
      WHERE id IN (
        SELECT id FROM payment_attempts WHERE inquire_at <= now()
        ORDER BY returned_at IS NULL, created_at DESC LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING id`;
    return manager.findBy(PaymentAttemptEntity, { id: In(rows.map(({ id }) => id)) });
  }

  /** The next inquiry becomes due in at most `seconds`. If none is scheduled, nothing changes. */
  async bringInquiryForward(
    manager: EntityManager,
    seconds: number,
    { id }: PaymentAttemptEntity,
  ): Promise<void> {
    const soon = addSeconds(this.clock.now(), seconds);
    await manager.update(PaymentAttemptEntity, { id, inquireAt: MoreThan(soon) }, { inquireAt: soon });
  }

  /** Returns undefined, which `acceptReport` returns in place of a decision: a report about the checkout alone needs none. */
  async applyCheckoutState(
    tx: EntityManager,
    attempt: PaymentAttemptEntity,
    state: CheckoutState,
  ): Promise<undefined> {
    // Even if the buyer has returned, they have not approved this payment, so another payment of the order may begin.
    if (state === 'unapproved') await tx.update(PaymentAttemptEntity, attempt.id, { returnedAt: null });
    // An attempt whose money may have been taken stays open.
    if (state !== 'closed' || attempt.capturing) return;
    await this.recordOutcome(tx, attempt);
    await tx.update(PaymentAttemptEntity, attempt.id, { inquireAt: null });
  }

  async recordOutcome(tx: EntityManager, { id, outcomeAt }: PaymentAttemptEntity): Promise<void> {
    if (outcomeAt === null) await tx.update(PaymentAttemptEntity, id, { outcomeAt: this.clock.now() });
  }

  async storeReceiverAccount(
    tx: EntityManager,
    attempt: PaymentAttemptEntity,
    receiverAccount: string | null,
  ): Promise<void> {
    if (attempt.receiverAccount === null && receiverAccount !== null)
      await tx.update(PaymentAttemptEntity, attempt.id, { receiverAccount });
  }

  async incrementForged(tx: EntityManager, { id }: PaymentAttemptEntity): Promise<void> {
    await tx.increment(PaymentAttemptEntity, { id }, 'forgedNotifications', 1);
  }

  /** Open attempts that are older than `afterMs` and about which no inquiry is scheduled, oldest first. */
  listOverdue(manager: EntityManager, afterMs: number, limit: number): Promise<PaymentAttemptEntity[]> {
    return manager.find(PaymentAttemptEntity, {
      where: {
        ...{ ...whereOpen, inquireAt: IsNull() },
        createdAt: LessThan(addSeconds(this.clock.now(), -afterMs / 1000)),
      },
      order: { createdAt: 'ASC' },
      take: limit,
    });
  }

  /**
   * For an attempt about which the provider refuses to say anything: if it is open, it will be reported as missed. Does nothing to an attempt that
   * has an outcome or was reported already.
   */
  async endInquiriesIfOpen(manager: EntityManager, { id }: PaymentAttemptEntity): Promise<void> {
    await manager.update(PaymentAttemptEntity, { id, ...whereOpen }, { inquireAt: null });
  }

  /**
   * False if another process has marked the attempt, or its outcome is known. From now on, an admin looks for the payment, and the attempt no longer
   * prevents another payment of the order.
   */
  async markMissed(tx: EntityManager, { id }: PaymentAttemptEntity): Promise<boolean> {
    const { affected } = await tx.update(
      PaymentAttemptEntity,
      { id, ...whereOpen },
      { missedAt: this.clock.now(), capturing: false },
    );
    return affected === 1;
  }
}
