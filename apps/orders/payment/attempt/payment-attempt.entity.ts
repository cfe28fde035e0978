import { Column, Entity, PrimaryColumn } from 'typeorm';
import { cents } from '../../money/cents.js';
import type { AttemptKind } from '../payment-provider.js';

/** `StartedAttempt` explains most columns. The receiver, the amount, the currency and the item never change. */
@Entity('payment_attempts')
export class PaymentAttemptEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  @Column('text')
  kind!: AttemptKind;

  @Column('text')
  provider!: string;

  @Column('text')
  environment!: string;

  /** 128 random bits, in hex. */
  @Column('text')
  token!: string;

  @Column('bytea', { name: 'token_digest' })
  tokenDigest!: Buffer;

  @Column('text')
  receiver!: string;

  /** The first account that the provider named as the receiver's. */
  @Column('text', { name: 'receiver_account', nullable: true })
  receiverAccount: string | null = null;

  @Column('bigint', { name: 'amount_cents', transformer: cents })
  amountCents!: number;

  @Column('text')
  currency!: string;

  @Column('text', { name: 'item_name' })
  itemName!: string;

  @Column('text', { name: 'checkout_reference', nullable: true })
  checkoutReference: string | null = null;

  /**
   * What providers call an invoice number. It differs for each attempt, because a provider can refuse a second payment with the same one. Null only
   * in rows that are older than this column; their provider does not use the column.
   */
  @Column('text', { nullable: true })
  invoice!: string;

  /** Only this attempt may take the order's money, until it has failed or was reported as missed. */
  @Column('boolean')
  capturing = false;

  /** When to ask the provider about it next; null for never. */
  @Column('timestamptz', { name: 'inquire_at', nullable: true })
  inquireAt: Date | null = null;

  @Column('integer', { name: 'forged_notices' })
  forgedNotifications = 0;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /**
   * When the buyer returned from the checkout. From then on, no payment of the order can begin until this attempt has an outcome or is missed. Set to
   * null again if the buyer had not approved the payment, or if the provider refuses to report on it.
   */
  @Column('timestamptz', { name: 'returned_at', nullable: true })
  returnedAt: Date | null = null;

  /**
   * When the first of these happened: a movement of its money was recorded (`noted` does not count: it has no effect), a report from the provider
   * was held, the first charge of its plan was recorded or failed, or its checkout was closed.
   */
  @Column('timestamptz', { name: 'outcome_at', nullable: true })
  outcomeAt: Date | null = null;

  /** When it was reported as missed: it had no outcome for too long, so an admin has to look for its payment at the provider. */
  @Column('timestamptz', { name: 'missed_at', nullable: true })
  missedAt: Date | null = null;
}
