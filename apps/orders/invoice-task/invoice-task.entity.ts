import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BillingDetails, InvoiceCause } from '#libs/contracts';
import { safeInteger } from '#libs/database';
import { cents } from '../money/cents.js';

export type TaskCause = Exclude<InvoiceCause, 'correction'>;

/** A payment, a refund or a step of a dispute. */
export interface MoneyMovement {
  /** The `label` of the provider, which documents show. */
  method: string;
  /** The provider's id of the transaction. */
  reference: string;
  /** ISO 8601. */
  at: string;
}

export interface OrderBuyer {
  name: string;
  email: string;
  address: string;
  country: string;
  billing: BillingDetails | null;
}

/** An amount of an order for which documents are to be issued. */
@Entity('invoice_tasks')
export class InvoiceTaskEntity {
  /** Assigned by the database. An order's tasks are done from the lowest id to the highest. */
  @PrimaryColumn({ type: 'bigint', transformer: safeInteger, insert: false })
  id!: number;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  /** Positive for an invoice, negative for credit notes. */
  @Column('bigint', { transformer: cents })
  cents!: number;

  @Column('text')
  cause!: TaskCause;

  /**
   * Null if an admin's override of the payment status caused the task. One change of an order can cause two tasks if a refund or a dispute was
   * reported before its payment. The second task, for the refund or the dispute, also has null.
   */
  @Column('jsonb', { name: 'payment', nullable: true })
  moneyMovement!: MoneyMovement | null;

  /** Null once the task is done. */
  @Column('jsonb', { nullable: true })
  buyer!: OrderBuyer | null;

  @Column('integer')
  tries!: number;

  @Column('timestamptz', { name: 'done_at', nullable: true })
  doneAt!: Date | null;
}
