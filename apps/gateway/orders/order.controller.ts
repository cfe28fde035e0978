import { type OperationInputs, orderContract, orderOperations, updatedAnswer } from '#libs/contracts';
import { addSeconds, Clock, utcDay } from '#libs/runtime';
import { RpcClient } from '#libs/transport';
import { CsvDownload } from '../csv/csv-download.js';
import { type Context, Serves } from '../routing/serves.js';
import { orderColumns } from './order.csv.js';

type Input = OperationInputs<typeof orderOperations>;

const daySeconds = 86_400;
/** The default range begins this many days before its last day, so it has 30 days. */
const daysBefore = 29;

@Serves(orderOperations)
export class OrderController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly csv: CsvDownload,
    private readonly clock: Clock,
  ) {}

  getOrdersSales(
    { to = utcDay(this.clock.now()), by, ...given }: Input['getOrdersSales'],
    { caller }: Context,
  ) {
    const { from = utcDay(addSeconds(new Date(to), -daysBefore * daySeconds)) } = given;
    return this.rpc.call(orderContract.getSales, { from, to, by }, caller);
  }

  async cancelOrder({ id, ifVersion }: Input['cancelOrder'], { caller }: Context) {
    return updatedAnswer(await this.rpc.call(orderContract.cancel, { id, ifVersion }, caller));
  }

  exportOrders(filter: Input['exportOrders'], { reply, caller }: Context) {
    return this.csv.send(reply, 'orders', orderColumns, (range) =>
      this.rpc.call(orderContract.listOrders, { ...filter, ...range }, caller),
    );
  }
}
