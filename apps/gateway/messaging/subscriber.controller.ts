import {
  createdAnswer,
  messagingContract,
  type OperationInputs,
  subscriberOperations,
} from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { CsvDownload } from '../csv/csv-download.js';
import { clientAddress } from '../limits/client-address.js';
import { type Context, Serves } from '../routing/serves.js';
import { subscriberColumns } from './messaging.csv.js';
import { acceptPublicForm } from './public-form.js';

type Input = OperationInputs<typeof subscriberOperations>;

@Serves(subscriberOperations)
export class SubscriberController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly csv: CsvDownload,
  ) {}

  async createSubscriber(form: Input['createSubscriber'], { request, caller }: Context) {
    const input = { body: acceptPublicForm(form), ip: clientAddress(request) };
    return createdAnswer(await this.rpc.call(messagingContract.addSubscriber, input, caller));
  }

  exportSubscribers(filter: Input['exportSubscribers'], { reply, caller }: Context) {
    return this.csv.send(reply, 'subscribers', subscriberColumns, (range) =>
      this.rpc.call(messagingContract.listSubscribers, { ...filter, ...range }, caller),
    );
  }
}
