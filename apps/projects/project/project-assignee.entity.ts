import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('project_assignees')
export class ProjectAssigneeEntity {
  @PrimaryColumn('uuid', { name: 'project_id' })
  projectId!: string;

  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** Their address when they were assigned. */
  @Column('text')
  email!: string;
}
