import { Injectable } from '@nestjs/common';
import { orderContract, type Output, planSubscriptionContract, system } from '#libs/contracts';
import { RpcClient } from '#libs/transport';

const options = { actor: system, deadlineMs: 5_000 };

export type OrderFacts = Output<typeof orderContract.getForService>;

@Injectable()
export class OrdersClient {
  constructor(private readonly rpc: RpcClient) {}

  getOrder(id: string): Promise<OrderFacts> {
    return this.rpc.call(orderContract.getForService, { id }, options);
  }

  async hasSubscriptionEnded(subscriptionId: string): Promise<boolean> {
    const { state } = await this.rpc.call(
      planSubscriptionContract.getSubscriptionForService,
      { id: subscriptionId },
      options,
    );
    return state === 'ended';
  }

  /** Oldest first; with `after`, only those after that order. */
  listPaidOrderIds(after: string | null, limit: number): Promise<string[]> {
    return this.rpc.call(orderContract.listPaidOrderIds, { after, limit }, options);
  }
}
