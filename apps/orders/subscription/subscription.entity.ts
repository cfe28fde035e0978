import { Column, Entity } from 'typeorm';
import type { SubscriptionEndReason, SubscriptionState } from '#libs/contracts';
import { safeInteger, VersionedRecord } from '#libs/database';
import { cents } from '../money/cents.js';
import type { ProviderSubscriptionStatus } from '../payment/subscription-provider.js';

export type DesiredStatus = 'charging' | 'stopped' | 'cancelled';
/**
 * `ending`: the plan was cancelled and the paid period is not over. `paused`: it was paused, and if `endsAt` is set, cancelled since. `unpaid`: a
 * failed charge was not paid.
 */
export type DesiredStatusReason = 'ending' | 'paused' | 'unpaid';

/** Moments are those of the billing clock, except `createdAt` and `updatedAt`. `AttemptTerms` explains `environment` and `receiver`. */
@Entity('subscriptions')
export class SubscriptionEntity extends VersionedRecord {
  override version = 1;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

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

  @Column('bigint', { name: 'price_cents', transformer: cents })
  priceCents!: number;

  /** In percent; "0" if the price contains the tax, or none is charged. Agreed when the plan began. */
  @Column('text', { name: 'added_tax_rate' })
  addedTaxRate = '0';

  @Column('uuid', { name: 'first_order_id' })
  firstOrderId!: string;

  @Column({ type: 'bigint', name: 'first_order_number', transformer: safeInteger })
  firstOrderNumber!: number;

  @Column('text')
  provider!: string;

  @Column('text')
  environment!: string;

  @Column('text')
  receiver!: string;

  @Column('text')
  reference!: string;

  @Column('text')
  state: SubscriptionState = 'pending';

  /** The provider's status as last read. Resuming a plan sets `stopped`, so that the provider is asked to resume the plan too. */
  @Column('text', { name: 'provider_status' })
  providerStatus: ProviderSubscriptionStatus = 'charging';

  @Column('text', { name: 'wanted' })
  desiredStatus: DesiredStatus = 'charging';

  /** Null unless the desired status is `stopped`. */
  @Column('text', { name: 'wanted_because', nullable: true })
  desiredStatusReason: DesiredStatusReason | null = null;

  @Column('text', { name: 'end_reason', nullable: true })
  endReason: SubscriptionEndReason | null = null;

  @Column('timestamptz', { name: 'started_at' })
  startedAt!: Date;

  /** How many charges were received. */
  @Column('integer')
  cycles = 0;

  @Column('timestamptz', { name: 'next_charge_at', nullable: true })
  nextChargeAt: Date | null = null;

  /** The end of the last cycle that was paid. */
  @Column('timestamptz', { name: 'paid_until', nullable: true })
  paidUntil: Date | null = null;

  /** When a charge last failed, as of the inquiry that first found the plan past due. Later failures do not change it. */
  @Column('timestamptz', { name: 'past_due_since', nullable: true })
  pastDueSince: Date | null = null;

  /** When the provider tries the failed charge again. */
  @Column('timestamptz', { name: 'retry_at', nullable: true })
  retryAt: Date | null = null;

  @Column('bigint', { name: 'outstanding_cents', transformer: cents })
  outstandingCents = 0;

  /** How many reminders of the failed charge have become due. If several become due between two inquiries, one mail is sent. */
  @Column('integer')
  reminders = 0;

  /** When the plan ends after its cancellation. Null without a cancellation, or if it ended the plan immediately. */
  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt: Date | null = null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null = null;

  /** The package after a pending change of package or price. Without one, this and the other `change…` columns are null or false. */
  @Column('text', { name: 'change_package', nullable: true })
  changePackage: string | null = null;

  @Column('bigint', { name: 'change_cents', transformer: cents, nullable: true })
  changeCents: number | null = null;

  @Column('text', { name: 'change_by', nullable: true })
  changeBy: 'customer' | 'admin' | null = null;

  @Column('timestamptz', { name: 'change_approvable_from', nullable: true })
  changeApprovableFrom: Date | null = null;

  @Column('timestamptz', { name: 'change_applies_from', nullable: true })
  changeAppliesFrom: Date | null = null;

  /** The customer has approved the change at the provider. */
  @Column('boolean', { name: 'change_approved' })
  changeApproved = false;

  /** The customer was told that they can approve the change. */
  @Column('boolean', { name: 'change_told' })
  changeApprovalRequested = false;

  /** Why the provider refused the last inquiry or the desired status; for admins. */
  @Column('text', { nullable: true })
  problem: string | null = null;

  /** When to ask the provider about the plan next; null for never. */
  @Column('timestamptz', { name: 'inquire_at', nullable: true })
  inquireAt: Date | null = null;

  /** The provider's list of charges was read up to this moment. */
  @Column('timestamptz', { name: 'read_until', nullable: true })
  readUntil: Date | null = null;
}
