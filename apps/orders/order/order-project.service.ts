import { Injectable } from '@nestjs/common';
import { type EventPayload, type OrderStatus, type ProjectState, projectStateChanged } from '#libs/contracts';
import { Inbox } from '#libs/database';
import { type EventContext, OnEvent } from '#libs/transport';
import { OrderChangeService } from './order-change.service.js';
import { OrderRepository } from './order.repository.js';

type StateChanged = EventPayload<typeof projectStateChanged>;

@Injectable()
export class OrderProjectService {
  constructor(
    private readonly inbox: Inbox,
    private readonly orders: OrderRepository,
    private readonly changes: OrderChangeService,
  ) {}

  /**
   * Events can come out of sequence, so only a newer version of the project counts. Publishes no event about the new status, because the projects
   * service has already announced the change.
   */
  @OnEvent(projectStateChanged)
  async follow(changed: StateChanged, { eventId, traceparent }: EventContext): Promise<void> {
    const { orderIds, orderStatus, version, to } = changed;
    if (orderStatus === null) return;
    await this.inbox.consume('order-status-of-projects', eventId, async (tx) => {
      // Always locking in the same sequence avoids deadlocks.
      for (const id of [...orderIds].sort()) {
        const order = await this.orders.lock(tx, id);
        if (!order || order.projectVersion >= version) continue;
        await this.orders.storeProjectVersion(tx, order, version);
        const { orderStatus: before, paymentStatus } = order;
        if (before === orderStatus || paymentStatus === 'Cancelled') continue;
        const evidence = { before, after: orderStatus, project: changed.projectId };
        const entry = {
          kind: 'order_status_set',
          text: sentence(orderStatus, to),
          by: null,
          evidence,
        } as const;
        const origin = traceparent === undefined ? {} : { traceparent };
        await this.changes.apply(tx, order, { orderStatus, followsProject: true }, [entry], origin);
      }
    });
  }
}

function sentence(orderStatus: OrderStatus, state: ProjectState): string {
  if (orderStatus === 'Pending')
    return state === 'changes_requested' ? 'Changes to the work were requested.' : 'The work continues.';
  return state === 'accepted' ? 'The work was accepted.' : 'The work was delivered.';
}
