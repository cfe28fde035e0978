import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SetupStep } from '#libs/contracts';

/** Without an entity, because a row only marks a step. */
@Injectable()
export class PostponedStepRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list(manager: EntityManager = this.dataSource.manager): Promise<SetupStep[]> {
    const rows = await manager.sql<
      { step: SetupStep }[]
    >`SELECT step FROM postponed_setup_steps ORDER BY postponed_at`;
    return rows.map(({ step }) => step);
  }

  async add(tx: EntityManager, step: SetupStep): Promise<void> {
    await tx.sql`INSERT INTO postponed_setup_steps (step) VALUES (${step}) ON CONFLICT DO NOTHING`;
  }

  async remove(tx: EntityManager, step: SetupStep): Promise<void> {
    await tx.sql`DELETE FROM postponed_setup_steps WHERE step = ${step}`;
  }
}
