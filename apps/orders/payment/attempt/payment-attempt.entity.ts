import { Column, Entity, PrimaryColumn } from 'typeorm';
import { cents } from '../../money/cents.js';
import type { AttemptKind } from '../payment-provider.js';

/** `StartedAttempt` explains most columns. The terms (receiver, amount, currency, item) never change. */
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

  /** The first account that the provider named. */
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

  /** A provider can refuse a second payment with the same invoice number. Null only in rows that are older than this column. */
  @Column('text', { nullable: true })
  invoice!: string;

  /** This attempt has claimed the order's money. No other can, until it has failed or was reported as missed. */
  @Column('boolean')
  capturing = false;

  /** When to ask the provider about it next; null for never. */
  @Column('timestamptz', { name: 'inquire_at', nullable: true })
  inquireAt: Date | null = null;

  @Column('integer', { name: 'forged_notices' })
  forgedNotifications = 0;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When the buyer returned from the checkout. Set to null again when the order may be paid nevertheless. */
  @Column('timestamptz', { name: 'returned_at', nullable: true })
  returnedAt: Date | null = null;

  /**
   * When the first of these happened: a movement of its money (not `noted`) was recorded, a report from the provider was held, the first charge of
   * its plan was recorded or failed, or its checkout was closed.
   */
  @Column('timestamptz', { name: 'outcome_at', nullable: true })
  outcomeAt: Date | null = null;

  /** When it was reported as missed: it had no outcome for too long, so an admin has to look for its payment at the provider. */
  @Column('timestamptz', { name: 'missed_at', nullable: true })
  missedAt: Date | null = null;
}
