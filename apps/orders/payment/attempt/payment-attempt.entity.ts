import { Column, Entity, PrimaryColumn } from 'typeorm';
import { cents } from '../../money/cents.js';
import type { AttemptKind } from '../payment-provider.js';

/** One attempt to pay for an order. Its terms (receiver, amount, currency, item) never change. */
@Entity('payment_attempts')
export class PaymentAttemptEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  /** `payment`: for an order that is paid once. `subscription`: the approval of a plan that renews. `charge`: one charge of such a plan. */
  @Column('text')
  kind!: AttemptKind;

  /** The provider's name. */
  @Column('text')
  provider!: string;

  /** The provider's environment, such as its sandbox. */
  @Column('text')
  environment!: string;

  /** 128 random bits, in hex. See `StartedAttempt.token`. */
  @Column('text')
  token!: string;

  @Column('bytea', { name: 'token_digest' })
  tokenDigest!: Buffer;

  /** The account that receives the money, as the provider names it. */
  @Column('text')
  receiver!: string;

  /** The provider's id of the account behind `receiver`, as first named when the checkout was created or by an event that counted. */
  @Column('text', { name: 'receiver_account', nullable: true })
  receiverAccount: string | null = null;

  @Column('bigint', { name: 'amount_cents', transformer: cents })
  amountCents!: number;

  @Column('text')
  currency!: string;

  @Column('text', { name: 'item_name' })
  itemName!: string;

  /** The provider's id of the checkout, of the subscription, or of the charge; null until it is known, and for providers that create none. */
  @Column('text', { name: 'checkout_reference', nullable: true })
  checkoutReference: string | null = null;

  /**
   * The invoice number of a checkout that the provider creates: the order's number, with a suffix from the second attempt on, because a provider may
   * refuse to be paid twice for one invoice. Only attempts from before the first such provider have none.
   */
  @Column('text', { nullable: true })
  invoice!: string;

  /** Whether this attempt has claimed the order's money: no other attempt of the order can, unless this one has failed or was reported as missed. */
  @Column('boolean')
  capturing = false;

  /** When to ask the provider about it next; null for never. */
  @Column('timestamptz', { name: 'inquire_at', nullable: true })
  inquireAt: Date | null = null;

  /** How many forged notifications named it. */
  @Column('integer', { name: 'forged_notices' })
  forgedNotifications = 0;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When the buyer returned from the checkout; set back to null if the order can be paid nevertheless (`noteState`, `forgetReturn`). */
  @Column('timestamptz', { name: 'returned_at', nullable: true })
  returnedAt: Date | null = null;

  /**
   * When its outcome became known: a report about its money counted or was held, the first charge of its plan was recorded or failed, or nothing
   * can be paid at its checkout any more.
   */
  @Column('timestamptz', { name: 'outcome_at', nullable: true })
  outcomeAt: Date | null = null;

  /** When it was reported that the attempt has no outcome; null if it was not. */
  @Column('timestamptz', { name: 'missed_at', nullable: true })
  missedAt: Date | null = null;
}
