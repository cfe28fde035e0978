import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, LessThan, MoreThan } from 'typeorm';
import { uuidv7 } from '#libs/database';
import { Clock, secondsAfter } from '#libs/runtime';
import { PaymentAttemptEntity } from './payment-attempt.entity.js';

/** The terms of an attempt that begins now. */
export type NewAttempt = Pick<
  PaymentAttemptEntity,
  'orderId' | 'provider' | 'environment' | 'receiver' | 'amountCents' | 'currency' | 'itemName'
>;

const tokenBytes = 16;
/** Longer than any checkout page is valid. */
const reuseSeconds = 3 * 60 * 60;
/** Such an attempt has no outcome, and that has not been reported. */
const withoutOutcome = { outcomeAt: IsNull(), missedAt: IsNull() };

/** The table `payment_attempts`. */
@Injectable()
export class PaymentAttemptRepository {
  constructor(private readonly clock: Clock) {}

  async insert(tx: EntityManager, terms: NewAttempt): Promise<PaymentAttemptEntity> {
    const token = randomBytes(tokenBytes).toString('hex');
    const attempt = Object.assign(new PaymentAttemptEntity(), {
      ...terms,
      ...{ id: uuidv7(), token, tokenDigest: digest(token), createdAt: this.clock.now() },
    });
    await tx.insert(PaymentAttemptEntity, attempt);
    return attempt;
  }

  /** The newest attempt of the last hours on the same terms that has no outcome. */
  findOpen(tx: EntityManager, { itemName: _, ...terms }: NewAttempt): Promise<PaymentAttemptEntity | null> {
    return tx.findOne(PaymentAttemptEntity, {
      where: {
        ...terms,
        ...withoutOutcome,
        createdAt: MoreThan(secondsAfter(this.clock.now(), -reuseSeconds)),
      },
      order: { id: 'DESC' },
    });
  }

  findNewest(manager: EntityManager, orderId: string): Promise<PaymentAttemptEntity | null> {
    return manager.findOne(PaymentAttemptEntity, { where: { orderId }, order: { id: 'DESC' } });
  }

  /** Takes constant time: the attempt is found by the digest of the token, and digests are compared as a whole. */
  async findByToken(
    manager: EntityManager,
    provider: string,
    token: string | undefined,
  ): Promise<PaymentAttemptEntity | null> {
    if (token === undefined || token === '') return null;
    const tokenDigest = digest(token);
    const attempt = await manager.findOneBy(PaymentAttemptEntity, { tokenDigest, provider });
    return attempt && timingSafeEqual(attempt.tokenDigest, tokenDigest) ? attempt : null;
  }

  reload(tx: EntityManager, { id }: PaymentAttemptEntity): Promise<PaymentAttemptEntity> {
    return tx.findOneByOrFail(PaymentAttemptEntity, { id });
  }

  /**
   * The buyer has returned from the checkout. Until an outcome is known, or the attempt is reported as missed, the order must not be paid again
   * (`PaymentHoldRepository`).
   */
  async noteReturn(manager: EntityManager, orderId: string): Promise<void> {
    const open = { orderId, ...withoutOutcome, returnedAt: IsNull() };
    await manager.update(PaymentAttemptEntity, open, { returnedAt: this.clock.now() });
  }

  /** A notification about the money of this attempt was decided. */
  async noteOutcome(tx: EntityManager, { id, outcomeAt }: PaymentAttemptEntity): Promise<void> {
    if (outcomeAt === null) await tx.update(PaymentAttemptEntity, id, { outcomeAt: this.clock.now() });
  }

  /** Keeps the first account that an event names. */
  async noteReceiverAccount(
    tx: EntityManager,
    attempt: PaymentAttemptEntity,
    receiverAccount: string | null,
  ): Promise<void> {
    if (attempt.receiverAccount === null && receiverAccount !== null)
      await tx.update(PaymentAttemptEntity, attempt.id, { receiverAccount });
  }

  async countForged(tx: EntityManager, { id }: PaymentAttemptEntity): Promise<void> {
    await tx.increment(PaymentAttemptEntity, { id }, 'forgedNotifications', 1);
  }

  /** Attempts without an outcome for `afterMs`, oldest first. */
  listOverdue(manager: EntityManager, afterMs: number, limit: number): Promise<PaymentAttemptEntity[]> {
    return manager.find(PaymentAttemptEntity, {
      where: { ...withoutOutcome, createdAt: LessThan(secondsAfter(this.clock.now(), -afterMs / 1000)) },
      order: { createdAt: 'ASC' },
      take: limit,
    });
  }

  /** False if another process was faster or an outcome has come. */
  async markMissed(tx: EntityManager, { id }: PaymentAttemptEntity): Promise<boolean> {
    const { affected } = await tx.update(
      PaymentAttemptEntity,
      { id, ...withoutOutcome },
      { missedAt: this.clock.now() },
    );
    return affected === 1;
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
