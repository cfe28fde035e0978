import {
  DomainError,
  mailContract,
  mailOperations,
  type OperationInput,
  parseMailSignature,
} from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { RpcClient } from '#libs/transport';
import { CsvDownload } from '../csv/csv-download.js';
import { bytesOf } from '../routing/raw-body.js';
import { type Context, Serves } from '../routing/serves.js';
import { mailColumns } from './messaging.csv.js';

@Serves(mailOperations)
export class MailController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly csv: CsvDownload,
    private readonly clock: Clock,
  ) {}

  /** Throws FORBIDDEN if the signature is malformed or its time is too far from now. The messaging service verifies the MAC. */
  async reportMailEvents(_: object, { request, caller }: Context) {
    const signature = String(request.headers['mail-signature'] ?? '');
    if (!parseMailSignature(signature, this.clock.now().getTime())) throw new DomainError('FORBIDDEN');
    const input = { signature, body: bytesOf(request).toString('base64') };
    return this.rpc.call(mailContract.reportMailEvents, input, caller);
  }

  reportBounce(_: object, { request, caller }: Context) {
    const token = /^Bearer (\S{1,500})$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const report = bytesOf(request).toString('base64');
    return this.rpc.call(mailContract.reportBounce, { token, report }, caller);
  }

  exportMails(filter: OperationInput<typeof mailOperations.exportMails>, { reply, caller }: Context) {
    return this.csv.send(reply, 'mails', mailColumns, (range) =>
      this.rpc.call(mailContract.listMails, { ...filter, ...range }, caller),
    );
  }
}
