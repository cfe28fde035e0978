import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Without an entity: the table has one row without a meaningful key. */
@Injectable()
export class AdminRequirementRepository {
  constructor(private readonly dataSource: DataSource) {}

  async isRequired(): Promise<boolean> {
    const [row] = await this.dataSource.sql<[{ second_factor: boolean }]>`
      SELECT second_factor FROM admin_requirements`;
    return row.second_factor;
  }

  /** Returns the former value. */
  async set(tx: EntityManager, required: boolean, changedBy: string, now: Date): Promise<boolean> {
    const [before] = await tx.sql<[{ second_factor: boolean }]>`
      SELECT second_factor FROM admin_requirements FOR UPDATE`;
    await tx.sql`
      UPDATE admin_requirements SET second_factor = ${required}, changed_at = ${now}, changed_by = ${changedBy}`;
    return before.second_factor;
  }
}
