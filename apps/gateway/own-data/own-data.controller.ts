import {
  accountContract,
  billingDetailsContract,
  invoiceContract,
  messagingContract,
  orderContract,
  ownDataOperations,
  pageLimit,
  planSubscriptionContract,
  projectContract,
} from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { RpcClient } from '#libs/transport';
import { type Context, Serves } from '../routing/serves.js';

/** How many pages of a list are read, the newest first. Older records are left out. */
const maxPages = 10;

interface PageRequest {
  own: true;
  limit: number;
  cursor?: string;
}

/** Each service answers only with the caller's own data, except that the projects include those that the caller sees as a member of a team. */
@Serves(ownDataOperations)
export class OwnDataController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  async getMyData(_: object, { reply, caller }: Context) {
    reply.header('Content-Disposition', 'attachment; filename="my-data.json"');
    const [accountData, orders, planSubscriptions, invoices, billing, { projects }, messaging] =
      await Promise.all([
        this.rpc.call(accountContract.accountData, {}, caller),
        newestRecords((page) => this.rpc.call(orderContract.listOrders, page, caller)),
        newestRecords((page) => this.rpc.call(planSubscriptionContract.listPlanSubscriptions, page, caller)),
        newestRecords((page) => this.rpc.call(invoiceContract.listInvoices, page, caller)),
        this.rpc.call(billingDetailsContract.getBillingDetails, {}, caller),
        this.rpc.call(projectContract.getOwnProjectData, {}, caller),
        this.rpc.call(messagingContract.getOwnData, {}, caller),
      ]);
    // `vatIdState` and `offered` are left out, because they are not what the person entered.
    const { vatIdState, offered, ...billingDetails } = billing;
    return {
      copiedAt: this.clock.now().toISOString(),
      ...accountData,
      orders,
      planSubscriptions,
      invoices,
      billingDetails,
      projects,
      ...messaging,
    };
  }
}

async function newestRecords<Item>(
  readPage: (page: PageRequest) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const records: Item[] = [];
  let page: PageRequest = { own: true, limit: pageLimit };
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { items, nextCursor } = await readPage(page);
    records.push(...items);
    if (nextCursor === null) break;
    page = { ...page, cursor: nextCursor };
  }
  return records;
}
