import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Refund } from '#libs/contracts';
import { cents } from '../../money/cents.js';

@Entity('payment_refunds')
export class PaymentRefundEntity {
  /** A UUIDv7: refunds sort by it. It makes the request idempotent at the provider. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  @Column('uuid', { name: 'attempt_id' })
  attemptId!: string;

  /** The transaction of the payment. */
  @Column('text', { name: 'txn_id' })
  txnId!: string;

  @Column('bigint', { name: 'amount_cents', transformer: cents })
  amountCents!: number;

  @Column('text')
  currency!: string;

  @Column('text')
  reason!: string;

  /** The e-mail address of the admin. */
  @Column('text', { name: 'requested_by' })
  requestedBy!: string;

  @Column('uuid', { name: 'requested_account' })
  requestedByAccount!: string;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt!: Date;

  @Column('text')
  state: Refund['state'] = 'requested';

  /** Null until the provider has accepted the refund. */
  @Column('text', { name: 'refund_txn_id', nullable: true })
  refundTxnId: string | null = null;

  /** Why the provider refused the refund. */
  @Column('text', { nullable: true })
  problem: string | null = null;

  @Column('integer')
  tries = 0;

  @Column('timestamptz', { name: 'next_try_at' })
  nextTryAt!: Date;
}
