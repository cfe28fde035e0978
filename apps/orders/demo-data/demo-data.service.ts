import { Inject, Injectable } from '@nestjs/common';
import { demoDataContract, demoDataRemoval } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { type FileStorage, INVOICE_STORAGE } from '#libs/file-storage';
import { Handles, type RequestContext } from '#libs/transport';
import { DemoOrderRepository } from './demo-order.repository.js';

@Injectable()
export class DemoDataService {
  constructor(
    private readonly inbox: Inbox,
    private readonly orders: DemoOrderRepository,
    private readonly audit: AuditTrail,
    @Inject(INVOICE_STORAGE) private readonly files: FileStorage,
  ) {}

  @Handles(demoDataContract.countOrders)
  async count(): Promise<{ orders: number }> {
    return { orders: (await this.orders.listIds()).length };
  }

  @Handles(demoDataContract.removeOrders)
  remove(_: object, context: RequestContext): Promise<{ orders: number }> {
    return this.inbox.once(context, async (tx) => {
      const ids = await this.orders.listIds(tx);
      const removed = { orders: ids.length };
      if (ids.length === 0) return removed;
      const documentIds = await this.orders.delete(tx, ids);
      // Files are removed before the commit: if this process ends before it commits, the next removal finds the documents again.
      await Promise.all(documentIds.map((id) => this.files.remove(id)));
      await this.audit.record(tx, context.actor, { ...demoDataRemoval, before: removed });
      return removed;
    });
  }
}
