import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Rules for all projects. The table has at most one row. */
@Entity('project_settings')
export class ProjectSettingsEntity {
  @PrimaryColumn('integer')
  id = 1;

  @Column('integer')
  version = 1;

  /** After how many days without a decision about a deliverable the customer is reminded; null for never. */
  @Column('integer', { name: 'remind_after_days', nullable: true })
  remindAfterDays: number | null = null;

  /** After how many days without a complete brief the customer is reminded; null for never. */
  @Column('integer', { name: 'remind_brief_after_days', nullable: true })
  remindBriefAfterDays: number | null = null;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
