import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BriefQuestion } from '#libs/contracts';

/** One version of a package’s template. It never changes. New projects use the newest version. */
@Entity('project_templates')
export class ProjectTemplateEntity {
  @PrimaryColumn('uuid', { name: 'package_id' })
  packageId!: string;

  /** Counted from 1 for each package. */
  @PrimaryColumn('integer')
  version!: number;

  /** The package's name when this version was saved. Used to find the template for an order whose package was renamed or withdrawn. */
  @Column('text', { name: 'package_name' })
  packageName!: string;

  @Column('jsonb')
  questions!: BriefQuestion[];

  @Column('text', { array: true })
  checklist!: string[];

  /** Null for no due date. */
  @Column('integer', { name: 'delivery_days', nullable: true })
  deliveryDays!: number | null;

  /** Shown above the questions. */
  @Column('text')
  introduction!: string;

  /** The site’s first message in the thread of a new project. */
  @Column('text')
  welcome!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
