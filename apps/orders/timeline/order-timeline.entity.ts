import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TimelineEntry } from '#libs/contracts';

/** Something that happened to an order. Never changed. */
@Entity('order_timeline')
export class OrderTimelineEntity {
  /** A UUIDv7: the order of ids is the order of events. */
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

  @Column('text', { nullable: true })
  by!: string | null;

  /** Whose account that is; null where nobody's, and in entries of long ago. */
  @Column('uuid', { name: 'by_account', nullable: true })
  byAccount!: string | null;

  @Column('jsonb')
  evidence!: Record<string, unknown>;
}
