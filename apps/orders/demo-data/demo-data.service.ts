import { Injectable } from '@nestjs/common';
import { demoDataContract, demoDataRemoval } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { DemoOrderRepository } from './demo-order.repository.js';

/** Counts and removes demo orders, for admins of a site with simulated payments. */
@Injectable()
export class DemoDataService {
  constructor(
    private readonly inbox: Inbox,
    private readonly orders: DemoOrderRepository,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(demoDataContract.countOrders)
  async count(): Promise<{ orders: number }> {
    return { orders: (await this.orders.find()).length };
  }

  @Handles(demoDataContract.removeOrders)
  remove(_: object, context: RequestContext): Promise<{ orders: number }> {
    return this.inbox.once(context, async (tx) => {
      const ids = await this.orders.find(tx);
      const removed = { orders: ids.length };
      if (ids.length === 0) return removed;
      await this.orders.delete(tx, ids);
      await this.audit.record(tx, context.actor, { ...demoDataRemoval, before: removed });
      return removed;
    });
  }
}
