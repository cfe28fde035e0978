import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Whether admins must have a second factor. The table has no entity: it has one row without a meaningful key. */
@Injectable()
export class AdminRequirementRepository {
  constructor(private readonly dataSource: DataSource) {}

  async isRequired(): Promise<boolean> {
    const [row] = await this.dataSource.sql<[{ second_factor: boolean }]>`
      SELECT second_factor FROM admin_requirements`;
    return row.second_factor;
  }

  /** Sets the requirement, and returns what it was before. */
  async set(tx: EntityManager, required: boolean, changedBy: string, now: Date): Promise<boolean> {
    const [before] = await tx.sql<[{ second_factor: boolean }]>`
      SELECT second_factor FROM admin_requirements FOR UPDATE`;
    await tx.sql`
      UPDATE admin_requirements SET second_factor = ${required}, changed_at = ${now}, changed_by = ${changedBy}`;
    return before.second_factor;
  }
}
