import { Column, Entity, PrimaryColumn } from 'typeorm';
import { cents } from '../../order/cents.js';

/** A customer was sent to the checkout, on these terms. They stay what they were. */
@Entity('payment_attempts')
export class PaymentAttemptEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  @Column('text')
  provider!: string;

  /** Which of the provider's worlds. */
  @Column('text')
  environment!: string;

  /** 128 random bits. */
  @Column('text')
  token!: string;

  @Column('bytea', { name: 'token_digest' })
  tokenDigest!: Buffer;

  /** Whom the provider was to pay. */
  @Column('text')
  receiver!: string;

  /** The provider's id of that account, as the first event that counted named it. */
  @Column('text', { name: 'receiver_account', nullable: true })
  receiverAccount!: string | null;

  @Column('bigint', { name: 'amount_cents', transformer: cents })
  amountCents!: number;

  @Column('text')
  currency!: string;

  @Column('text', { name: 'item_name' })
  itemName!: string;

  /** Notices with its token that the provider has not written. */
  @Column('integer', { name: 'forged_notices' })
  forgedNotices!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When the buyer first came back from the checkout. */
  @Column('timestamptz', { name: 'returned_at', nullable: true })
  returnedAt!: Date | null;

  /** When the first message came that says something about money, whether it counted or was held. */
  @Column('timestamptz', { name: 'outcome_at', nullable: true })
  outcomeAt!: Date | null;

  /** When it was reported that none has come. */
  @Column('timestamptz', { name: 'missed_at', nullable: true })
  missedAt!: Date | null;
}
