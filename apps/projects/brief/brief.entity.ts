import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BriefAnswers } from '#libs/contracts';

@Entity('briefs')
export class BriefEntity {
  @PrimaryColumn('uuid', { name: 'project_id' })
  projectId!: string;

  @Column('uuid', { name: 'package_id' })
  packageId!: string;

  @Column('integer', { name: 'template_version' })
  templateVersion!: number;

  /** The number of questions. */
  @Column('integer')
  questions!: number;

  /** The number of questions that have an answer. */
  @Column('integer')
  answered = 0;

  @Column('jsonb')
  answers: BriefAnswers = {};

  @Column('timestamptz', { name: 'saved_at', nullable: true })
  savedAt: Date | null = null;

  /** The name of the person who saved the answers last. */
  @Column('text', { name: 'saved_by', nullable: true })
  savedBy: string | null = null;

  @Column('uuid', { name: 'saved_by_account', nullable: true })
  savedByAccount: string | null = null;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null = null;

  @Column('text', { name: 'completed_by', nullable: true })
  completedBy: string | null = null;

  @Column('uuid', { name: 'completed_by_account', nullable: true })
  completedByAccount: string | null = null;

  @Column('integer')
  version = 1;
}
