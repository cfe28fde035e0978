import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Deliverable } from '#libs/contracts';

/** At most one deliverable of a project is undecided (its state is `delivered`). */
@Entity('deliverables')
export class DeliverableEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'project_id' })
  projectId!: string;

  /** Counted from 1 in each project. */
  @Column('integer')
  number!: number;

  @Column('text')
  text!: string;

  @Column('text', { array: true })
  links!: string[];

  @Column('text')
  state: Deliverable['state'] = 'delivered';

  @Column('timestamptz', { name: 'delivered_at' })
  deliveredAt!: Date;

  /** The person's name. */
  @Column('text', { name: 'delivered_by' })
  deliveredBy!: string;

  @Column('uuid', { name: 'delivered_by_account', nullable: true })
  deliveredByAccount!: string | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt: Date | null = null;

  @Column('text', { name: 'decided_by', nullable: true })
  decidedBy: string | null = null;

  @Column('uuid', { name: 'decided_by_account', nullable: true })
  decidedByAccount: string | null = null;

  /** What the customer wants changed. */
  @Column('text', { nullable: true })
  reason: string | null = null;
}
