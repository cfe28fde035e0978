import { Column, Entity, PrimaryColumn } from 'typeorm';
import { cents } from '../money/cents.js';
import type { RevenueMovement } from './subscription-state.js';

/** Never changed, except to replace the e-mail address of a deleted account. */
@Entity('subscription_timeline')
export class SubscriptionEntryEntity {
  /** A UUIDv7, by which entries are sorted. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'subscription_id' })
  subscriptionId!: string;

  /** By the billing clock. */
  @Column('timestamptz')
  at!: Date;

  /** Customers read it too. */
  @Column('text')
  text!: string;

  /** The e-mail address of the person who made the change on this site; null if nobody did, such as for a charge. */
  @Column('text', { nullable: true })
  by!: string | null;

  @Column('uuid', { name: 'by_account', nullable: true })
  byAccount!: string | null;

  /** The kind of change of the monthly recurring revenue; null if there was none. */
  @Column('text', { nullable: true })
  movement!: RevenueMovement | null;

  /** The size of that change, without a sign. */
  @Column('bigint', { transformer: cents, nullable: true })
  cents!: number | null;
}
