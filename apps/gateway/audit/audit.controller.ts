import {
  auditContracts,
  auditOperations,
  auditPageLimit,
  type CallInput,
  type OperationInputs,
} from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { CsvDownload } from '../csv/csv-download.js';
import { linkToNext } from '../routing/listing.js';
import { type Context, Serves } from '../routing/serves.js';
import { auditColumns } from './audit.csv.js';
import { newestOf } from './newest-of.js';

type Input = OperationInputs<typeof auditOperations>;
/** The contracts of all services take the same input. */
type PageQuery = CallInput<typeof auditContracts.content> & { limit: number };

const defaultLimit = 25;

@Serves(auditOperations)
export class AuditController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly csv: CsvDownload,
  ) {}

  async listAuditEntries(
    { limit = defaultLimit, ...filter }: Input['listAuditEntries'],
    { request, reply, caller }: Context,
  ) {
    const { items, nextCursor } = await this.readPage({ ...filter, limit }, caller);
    if (nextCursor !== null) linkToNext(nextCursor, request, reply);
    return items;
  }

  /** Entries hold whole texts, so this export reads shorter pages than others. */
  exportAuditEntries(filter: Input['exportAuditEntries'], { reply, caller }: Context) {
    return this.csv.send(reply, 'audit-log', auditColumns, ({ cursor }) =>
      this.readPage({ ...filter, cursor, limit: auditPageLimit }, caller),
    );
  }

  /** Fails if one service does not answer, because without its entries the page would have gaps. */
  private async readPage(query: PageQuery, caller: CallOptions) {
    const lists = await Promise.all(
      Object.values(auditContracts).map((contract) => this.rpc.call(contract, query, caller)),
    );
    const { entries, hasOlder } = newestOf(lists, query.limit);
    return { items: entries, nextCursor: hasOlder ? entries.at(-1)!._id : null };
  }
}
