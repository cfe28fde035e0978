import { type OperationInputs, subscriberImportContract, subscriberImportOperations } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { CsvDownload } from '../csv/csv-download.js';
import { bytesOf, rawContentType } from '../routing/raw-body.js';
import { type Context, Serves } from '../routing/serves.js';
import { refusalColumns } from './messaging.csv.js';
import { extractUploadedFile } from './uploaded-file.js';
import { SubscriberImports } from './subscriber-imports.js';

type Input = OperationInputs<typeof subscriberImportOperations>;

@Serves(subscriberImportOperations)
export class SubscriberImportController {
  constructor(
    private readonly imports: SubscriberImports,
    private readonly rpc: RpcClient,
    private readonly csv: CsvDownload,
  ) {}

  async importSubscribers(input: Input['importSubscribers'], { request, caller }: Context) {
    const file = await extractUploadedFile(bytesOf(request), rawContentType(request));
    return this.imports.start(file, input, caller);
  }

  exportImportRefusals({ id }: Input['exportImportRefusals'], { reply, caller }: Context) {
    return this.csv.send(reply, 'refused', refusalColumns, (range) =>
      this.rpc.call(subscriberImportContract.listRefusals, { id, ...range }, caller),
    );
  }
}
