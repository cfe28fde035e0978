import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TimelineEntry } from '#libs/contracts';

/** Never changed, except to anonymize people who have deleted their account. */
@Entity('order_timeline')
export class OrderTimelineEntryEntity {
  /** A UUIDv7: entries sort by it. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  @Column('timestamptz')
  at!: Date;

  @Column('text')
  kind!: TimelineEntry['kind'];

  @Column('text')
  text!: string;

  /** An e-mail address (or the words that replace it once the account is deleted), the label of a payment provider, or null for the system. */
  @Column('text', { nullable: true })
  by!: string | null;

  /** The account of the person in `by`. Null if `by` is not a person, in `placed` entries, and in entries that are older than this column. */
  @Column('uuid', { name: 'by_account', nullable: true })
  byAccount!: string | null;

  @Column('jsonb')
  evidence!: Record<string, unknown>;
}
