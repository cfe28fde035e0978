import { Injectable } from '@nestjs/common';
import { accountContract, messagingContract, type Order, orderContract, pageLimit } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';

/** More is no person's, and an answer has to end. */
const pagesAtMost = 10;

/** A copy of what all services keep of one person. Each gives what belongs to whoever asks, and nothing else. */
@Injectable()
export class OwnData {
  constructor(private readonly rpc: RpcClient) {}

  async of(caller: CallOptions) {
    const [known, orders, messaging] = await Promise.all([
      this.rpc.call(accountContract.accountData, {}, caller),
      this.orders(caller),
      this.rpc.call(messagingContract.ownData, {}, caller),
    ]);
    return { copiedAt: new Date().toISOString(), ...known, orders, ...messaging };
  }

  private async orders(caller: CallOptions): Promise<Order[]> {
    const all: Order[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pagesAtMost; page += 1) {
      const request = { own: true, limit: pageLimit, ...(cursor === undefined ? {} : { cursor }) };
      const { items, nextCursor } = await this.rpc.call(orderContract.list, request, caller);
      all.push(...items);
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    return all;
  }
}
