import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, IsNull } from 'typeorm';
import type { OrderStatus } from '#libs/contracts';
import { ProjectOrderEntity } from './project-order.entity.js';

const maxListedOrders = 24;

@Injectable()
export class ProjectOrderRepository {
  constructor(private readonly dataSource: DataSource) {}

  find(
    orderId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ProjectOrderEntity | null> {
    return manager.findOneBy(ProjectOrderEntity, { orderId });
  }

  async idsWithProject(orderIds: readonly string[]): Promise<Set<string>> {
    const found = await this.dataSource.manager.find(ProjectOrderEntity, {
      select: { orderId: true },
      where: { orderId: In(orderIds) },
    });
    return new Set(found.map(({ orderId }) => orderId));
  }

  async insert(tx: EntityManager, order: ProjectOrderEntity): Promise<void> {
    await tx.insert(ProjectOrderEntity, order);
  }

  async update(
    tx: EntityManager,
    order: ProjectOrderEntity,
    change: Partial<ProjectOrderEntity>,
  ): Promise<void> {
    await tx.update(ProjectOrderEntity, order.orderId, change);
    Object.assign(order, change);
  }

  /** The orders that are not cancelled, refunded in full or disputed, oldest first. */
  listPaying(tx: EntityManager, projectId: string): Promise<ProjectOrderEntity[]> {
    return tx.find(ProjectOrderEntity, {
      where: { projectId, cancelledAt: IsNull() },
      order: { number: 'ASC' },
    });
  }

  async setStatus(tx: EntityManager, orderIds: readonly string[], orderStatus: OrderStatus): Promise<void> {
    await tx.update(ProjectOrderEntity, { orderId: In(orderIds) }, { orderStatus });
  }

  /** For each project, its newest `maxListedOrders` orders, in the order of their numbers. */
  async listNewest(
    projectIds: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, { _id: string; number: number }[]>> {
    const rows = await manager.sql<{ projectId: string; orderId: string; number: string }[]>`
      SELECT p.id AS "projectId", o.order_id AS "orderId", o.number
      FROM unnest(${projectIds}::uuid[]) AS p (id) CROSS JOIN LATERAL (
        SELECT order_id, number FROM project_orders WHERE project_id = p.id ORDER BY number DESC LIMIT ${maxListedOrders}) o
      ORDER BY o.number`;
    const orders = new Map(projectIds.map((id) => [id, [] as { _id: string; number: number }[]]));
    for (const { projectId, orderId, number } of rows)
      orders.get(projectId)!.push({ _id: orderId, number: Number(number) });
    return orders;
  }
}
