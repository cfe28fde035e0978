import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BriefQuestion } from '#libs/contracts';

/** A version never changes. New projects use the newest one. */
@Entity('project_templates')
export class ProjectTemplateEntity {
  @PrimaryColumn('uuid', { name: 'package_id' })
  packageId!: string;

  /** Counted from 1 for each package. */
  @PrimaryColumn('integer')
  version!: number;

  /** The package's name when this version was saved. With it, an order finds the template of a package that was renamed or is no longer on offer. */
  @Column('text', { name: 'package_name' })
  packageName!: string;

  @Column('jsonb')
  questions!: BriefQuestion[];

  @Column('text', { array: true })
  checklist!: string[];

  @Column('integer', { name: 'delivery_days', nullable: true })
  deliveryDays!: number | null;

  @Column('text')
  introduction!: string;

  @Column('text')
  welcome!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
