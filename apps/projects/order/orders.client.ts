import { Injectable } from '@nestjs/common';
import { orderContract, type Output, planSubscriptionContract, system } from '#libs/contracts';
import { RpcClient } from '#libs/transport';

const options = { actor: system, deadlineMs: 5_000 };

/** An order as the orders service has it now. */
export type OrderFacts = Output<typeof orderContract.getForService>;

/** Queries to the orders service. */
@Injectable()
export class OrdersClient {
  constructor(private readonly rpc: RpcClient) {}

  /** Throws NOT_FOUND. */
  order(id: string): Promise<OrderFacts> {
    return this.rpc.call(orderContract.getForService, { id }, options);
  }

  /** Throws NOT_FOUND. */
  async hasSubscriptionEnded(subscriptionId: string): Promise<boolean> {
    const { state } = await this.rpc.call(
      planSubscriptionContract.getSubscriptionForService,
      { id: subscriptionId },
      options,
    );
    return state === 'ended';
  }

  /** The ids of Paid orders, oldest first; only those after the order with the id `after`, unless it is null. */
  paidOrders(after: string | null, limit: number): Promise<string[]> {
    return this.rpc.call(orderContract.paidOrders, { after, limit }, options);
  }
}
