import { type OperationInput, orderContract, orderOperations, updatedAnswer } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { sendCsv } from '../csv/csv-download.js';
import { type Context, Serves } from '../routing/serves.js';
import { orderColumns } from './order.csv.js';

type Input<K extends keyof typeof orderOperations> = OperationInput<(typeof orderOperations)[K]>;

const dayMs = 86_400_000;
/** Together with the last day, 30. */
const daysBefore = 29;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

@Serves(orderOperations)
export class OrderController {
  constructor(private readonly rpc: RpcClient) {}

  sales({ to = dayOf(Date.now()), by, ...given }: Input<'sales'>, { caller }: Context) {
    const { from = dayOf(Date.parse(to) - daysBefore * dayMs) } = given;
    return this.rpc.call(orderContract.sales, { from, to, by }, caller);
  }

  async cancel({ id, ifVersion }: Input<'cancel'>, { caller }: Context) {
    return updatedAnswer(await this.rpc.call(orderContract.cancel, { id, ifVersion }, caller));
  }

  export(filter: Input<'export'>, { reply, caller }: Context) {
    return sendCsv(reply, 'orders', orderColumns, (part) =>
      this.rpc.call(orderContract.list, { ...filter, ...part }, caller),
    );
  }
}
