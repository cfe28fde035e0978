import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { ProjectEntity } from './project.entity.js';

@Injectable()
export class ProjectRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null for an unknown or malformed id. */
  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<ProjectEntity | null> {
    return isUuid(id) ? manager.findOneBy(ProjectEntity, { id }) : null;
  }

  /** Makes no new version. Lock the project first. */
  async updateActiveAt(tx: EntityManager, project: ProjectEntity, activeAt: Date): Promise<void> {
    await tx.update(ProjectEntity, project.id, { activeAt });
    project.activeAt = activeAt;
  }

  /** Locks the project until the transaction ends. Null for an unknown or malformed id. */
  async lock(tx: EntityManager, id: string): Promise<ProjectEntity | null> {
    if (!isUuid(id)) return null;
    return tx.findOne(ProjectEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  lockBySubscription(tx: EntityManager, subscriptionId: string): Promise<ProjectEntity | null> {
    return tx.findOne(ProjectEntity, { where: { subscriptionId }, lock: { mode: 'for_no_key_update' } });
  }

  /** Lets one transaction at a time open a project for this order or subscription. */
  async lockOpening(tx: EntityManager, orderOrSubscriptionId: string): Promise<void> {
    await tx.sql`SELECT pg_advisory_xact_lock(hashtextextended(${`project of ${orderOrSubscriptionId}`}, 0))`;
  }

  async insert(tx: EntityManager, project: ProjectEntity): Promise<void> {
    await tx.insert(ProjectEntity, project as object);
  }

  /** Changes the project in the database and in the object `project`. Lock it first. */
  async update(
    tx: EntityManager,
    project: ProjectEntity,
    change: Partial<ProjectEntity>,
    { isChangeVisibleToCustomer, now }: { isChangeVisibleToCustomer: boolean; now: Date },
  ): Promise<void> {
    const { version, versionForCustomer } = project;
    const stored = {
      ...change,
      version: version + 1,
      versionForCustomer: isChangeVisibleToCustomer ? versionForCustomer + 1 : versionForCustomer,
      // Customers see `updatedAt`, which must not reveal changes that only staff can see.
      ...(isChangeVisibleToCustomer && { updatedAt: now }),
    };
    await tx.update(ProjectEntity, project.id, stored as object);
    Object.assign(project, stored);
  }

  /**
   * Projects in this state since `cutoff` or longer, without a reminder and not in `except`; the longest waiting first. Leaves out those whose customer
   * has deleted their account.
   */
  async listIdsToRemind(
    state: 'waiting_for_brief' | 'delivered',
    cutoff: Date,
    except: readonly string[],
    limit: number,
  ): Promise<string[]> {
    const rows = await this.dataSource.sql<{ id: string }[]>`
      SELECT id FROM projects
      WHERE state = ${state} AND state_since <= ${cutoff} AND reminded_at IS NULL AND customer_email <> ''
        AND id <> ALL (${except}::uuid[])
      ORDER BY state_since LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  }

  /** Makes no new version. Lock the project first. */
  async setReminded(tx: EntityManager, project: ProjectEntity, remindedAt: Date): Promise<void> {
    await tx.update(ProjectEntity, project.id, { remindedAt });
    project.remindedAt = remindedAt;
  }
}
