import { Column, Entity } from 'typeorm';
import type {
  CancelledBy,
  OrderFlag,
  OrderPayment,
  OrderStatus,
  PaymentState,
  PaymentStatus,
} from '#libs/contracts';
import { VersionedRecord } from '#libs/database';
import { cents } from './cents.js';
import type { Override, ProviderState } from './order-payment.js';

/**
 * What somebody ordered and what became of it. `paymentStatus` and `paymentState` derive from `providerState`, `override` and `cancelled`
 * (`order-payment.ts`); only `OrderChanges` changes an existing order.
 */
@Entity('orders')
export class OrderEntity extends VersionedRecord {
  /** Whose order it is. `customerEmail` is that account's address at the time, and nothing more. */
  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** YYYY-MM-DD. */
  @Column('date', { name: 'order_date' })
  orderDate!: string;

  @Column('text', { name: 'customer_name' })
  customerName!: string;

  @Column('text', { name: 'customer_email' })
  customerEmail!: string;

  @Column('text', { name: 'customer_address' })
  customerAddress!: string;

  @Column('text', { name: 'customer_country' })
  customerCountry!: string;

  @Column('text', { name: 'package_name' })
  packageName!: string;

  /** As the package had it written when it was ordered. */
  @Column('text', { name: 'package_price' })
  packagePrice!: string;

  /** The same price in cents. */
  @Column('bigint', { name: 'price_cents', transformer: cents })
  priceCents!: number;

  @Column('text', { name: 'order_status' })
  orderStatus!: OrderStatus;

  /** What the stored events of the provider amount to. */
  @Column('text', { name: 'provider_state' })
  providerState!: ProviderState;

  @Column('jsonb')
  payments!: OrderPayment[];

  @Column('bigint', { name: 'refunded_cents', transformer: cents })
  refundedCents!: number;

  @Column('bigint', { name: 'disputed_cents', transformer: cents })
  disputedCents!: number;

  /** More than one of the payments brought money. */
  @Column('boolean', { name: 'paid_twice' })
  paidTwice!: boolean;

  /** What an admin has set, until another does. */
  @Column('text', { nullable: true })
  override!: Override | null;

  /** The customer or an admin has cancelled it. */
  @Column('boolean')
  cancelled!: boolean;

  @Column('text', { name: 'cancelled_by', nullable: true })
  cancelledBy!: CancelledBy | null;

  @Column('text', { name: 'payment_status' })
  paymentStatus!: PaymentStatus;

  @Column('text', { name: 'payment_state' })
  paymentState!: PaymentState;

  @Column('text', { array: true })
  flags!: OrderFlag[];

  /** What lists are sorted by: the beginning of the name without letter case. Made by the database. */
  @Column({ type: 'text', name: 'name_sorted', insert: false, update: false })
  nameSorted!: string;

  /** Name, e-mail address and package without letter case: what the search looks through. Made by the database. */
  @Column({ type: 'text', name: 'search_text', insert: false, update: false, select: false })
  searchText!: string;
}
