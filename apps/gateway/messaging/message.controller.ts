import { createdAnswer, messageOperations, messagingContract, type OperationInputs } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { CsvDownload } from '../csv/csv-download.js';
import { type Context, Serves } from '../routing/serves.js';
import { messageColumns } from './messaging.csv.js';
import { acceptPublicForm } from './public-form.js';

type Input = OperationInputs<typeof messageOperations>;

@Serves(messageOperations)
export class MessageController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly csv: CsvDownload,
  ) {}

  async createMessage(form: Input['createMessage'], { caller }: Context) {
    const body = acceptPublicForm(form);
    return createdAnswer(await this.rpc.call(messagingContract.addMessage, { body }, caller));
  }

  /** `messageStatus` is not needed: its only allowed value is `Read`. */
  updateMessages({ ids }: Input['updateMessages'], { caller }: Context) {
    return this.rpc.call(messagingContract.markMessagesRead, { ids }, caller);
  }

  exportMessages(filter: Input['exportMessages'], { reply, caller }: Context) {
    return this.csv.send(reply, 'messages', messageColumns, (range) =>
      this.rpc.call(messagingContract.listMessages, { ...filter, ...range }, caller),
    );
  }
}
