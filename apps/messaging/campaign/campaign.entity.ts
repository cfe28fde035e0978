import { Column, Entity } from 'typeorm';
import type { CampaignState } from '#libs/contracts';
import { VersionedRecord } from '#libs/database';

/** SQL statements update the counts, so saving the entity does not write them. */
@Entity('campaigns')
export class CampaignEntity extends VersionedRecord {
  @Column('text')
  subject!: string;

  @Column('text')
  preheader!: string;

  @Column('text')
  body!: string;

  @Column('text')
  state!: CampaignState;

  @Column('timestamptz', { name: 'scheduled_at', nullable: true })
  scheduledAt!: Date | null;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  @Column({ type: 'integer', insert: false, update: false })
  recipients!: number;

  @Column({ type: 'integer', insert: false, update: false })
  sent!: number;

  @Column({ type: 'integer', insert: false, update: false })
  failed!: number;

  /** Recipients who got no mail, because they were no longer subscribed. `CampaignService` calculates the number for a cancelled campaign. */
  @Column({ type: 'integer', name: 'left_out', insert: false, update: false })
  leftOut!: number;

  @Column({ type: 'integer', insert: false, update: false })
  bounced!: number;

  @Column({ type: 'integer', insert: false, update: false })
  unsubscribed!: number;
}
