import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DeliverableEntity } from './deliverable.entity.js';

const listedAtMost = 500;

@Injectable()
export class DeliverableRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  list(projectId: string): Promise<DeliverableEntity[]> {
    return this.dataSource.manager.find(DeliverableEntity, {
      where: { projectId },
      order: { number: 'DESC' },
      take: listedAtMost,
    });
  }

  findNewest(
    projectId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<DeliverableEntity | null> {
    return manager.findOne(DeliverableEntity, { where: { projectId }, order: { number: 'DESC' } });
  }

  /** Lock the project first. */
  findUndecided(tx: EntityManager, projectId: string): Promise<DeliverableEntity | null> {
    return tx.findOneBy(DeliverableEntity, { projectId, state: 'delivered' });
  }

  /** Sets the undecided deliverable, if there is one, to `replaced`, even if no newer one follows. Lock the project first. */
  async withdraw(tx: EntityManager, projectId: string): Promise<void> {
    await tx.update(DeliverableEntity, { projectId, state: 'delivered' }, { state: 'replaced' });
  }

  async insert(tx: EntityManager, deliverable: DeliverableEntity): Promise<void> {
    await tx.insert(DeliverableEntity, deliverable);
  }

  async update(
    tx: EntityManager,
    { id }: DeliverableEntity,
    change: Partial<DeliverableEntity>,
  ): Promise<void> {
    await tx.update(DeliverableEntity, id, change);
  }
}
