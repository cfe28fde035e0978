import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Rules that hold for all projects. The table has at most one row. */
@Entity('project_settings')
export class ProjectSettingsEntity {
  @PrimaryColumn('integer')
  id = 1;

  @Column('integer')
  version = 1;

  @Column('integer', { name: 'remind_after_days', nullable: true })
  remindAfterDays: number | null = null;

  @Column('integer', { name: 'remind_brief_after_days', nullable: true })
  remindBriefAfterDays: number | null = null;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
