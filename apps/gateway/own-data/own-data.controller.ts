import {
  accountContract,
  billingDetailsContract,
  invoiceContract,
  messagingContract,
  type Order,
  orderContract,
  ownDataOperations,
  pageLimit,
  planSubscriptionContract,
  projectContract,
} from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { type CallOptions, RpcClient } from '#libs/transport';
import { type Context, Serves } from '../routing/serves.js';

/** The answer contains the newest orders: at most this many pages of the list. */
const maxOrderPages = 10;

/** A copy of what identity, orders, projects and messaging keep about one person. Each answers with what belongs to the caller, and nothing else. */
@Serves(ownDataOperations)
export class OwnDataController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  async getMyData(_: object, { reply, caller }: Context) {
    reply.header('Content-Disposition', 'attachment; filename="my-data.json"');
    const [accountData, orders, plans, invoices, billing, { projects }, messaging] = await Promise.all([
      this.rpc.call(accountContract.accountData, {}, caller),
      this.orders(caller),
      this.rpc.call(planSubscriptionContract.listPlanSubscriptions, { own: true, limit: pageLimit }, caller),
      this.rpc.call(invoiceContract.listInvoices, { own: true, limit: pageLimit }, caller),
      this.rpc.call(billingDetailsContract.getBillingDetails, {}, caller),
      this.rpc.call(projectContract.ownProjectData, {}, caller),
      this.rpc.call(messagingContract.ownData, {}, caller),
    ]);
    // The other two are not details that the person has entered.
    const { vatIdState, offered, ...billingDetails } = billing;
    return {
      copiedAt: this.clock.now().toISOString(),
      ...accountData,
      orders,
      planSubscriptions: plans.items,
      invoices: invoices.items,
      billingDetails,
      projects,
      ...messaging,
    };
  }

  private async orders(caller: CallOptions): Promise<Order[]> {
    const all: Order[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxOrderPages; page += 1) {
      const request = { own: true, limit: pageLimit, ...(cursor === undefined ? {} : { cursor }) };
      const { items, nextCursor } = await this.rpc.call(orderContract.listOrders, request, caller);
      all.push(...items);
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    return all;
  }
}
