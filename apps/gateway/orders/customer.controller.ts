import { customerContract, customerOperations, type OperationInputs } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { CsvDownload } from '../csv/csv-download.js';
import { type Context, Serves } from '../routing/serves.js';
import { customerColumns } from './order.csv.js';

type Input = OperationInputs<typeof customerOperations>;

@Serves(customerOperations)
export class CustomerController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly csv: CsvDownload,
  ) {}

  exportCustomers(filter: Input['exportCustomers'], { reply, caller }: Context) {
    return this.csv.send(reply, 'customers', customerColumns, (range) =>
      this.rpc.call(customerContract.listCustomers, { ...filter, ...range }, caller),
    );
  }
}
