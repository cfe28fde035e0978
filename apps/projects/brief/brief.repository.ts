import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { BriefEntity } from './brief.entity.js';

@Injectable()
export class BriefRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null for a project without questions. */
  find(projectId: string, manager: EntityManager = this.dataSource.manager): Promise<BriefEntity | null> {
    return manager.findOneBy(BriefEntity, { projectId });
  }

  /** By project id. Projects without questions are left out. */
  async listByProject(
    projectIds: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, BriefEntity>> {
    const found = await manager.findBy(BriefEntity, { projectId: In(projectIds) });
    return new Map(found.map((brief) => [brief.projectId, brief]));
  }

  async insert(tx: EntityManager, brief: BriefEntity): Promise<void> {
    await tx.insert(BriefEntity, brief as object);
  }

  /** Changes the brief in the database and in the object `brief`. Lock the project first. */
  async update(tx: EntityManager, brief: BriefEntity, change: Partial<BriefEntity>): Promise<void> {
    const stored = { ...change, version: brief.version + 1 };
    await tx.update(BriefEntity, brief.projectId, stored as object);
    Object.assign(brief, stored);
  }
}
