import { Controller, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditContracts, type AuditEntry, type CallInput } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { sendCsv } from '../csv/csv-download.js';
import { Caller } from '../policy/caller.js';
import { Serves } from '../routing/endpoint.js';
import { linkToNext } from '../routing/listing.js';
import { ParsedQuery } from '../routing/query.js';
import { auditColumns } from './audit.csv.js';
import { auditEndpoint, auditPageLimit, exportAuditEndpoint } from './audit.endpoints.js';
import { newestOf } from './newest-of.js';

type AuditQuery = CallInput<typeof auditContracts.content>;

const usualLimit = 25;

@Controller()
export class AuditController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(auditEndpoint)
  async list(
    @Query(new ParsedQuery(auditEndpoint)) { limit = usualLimit, ...filter }: AuditQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<AuditEntry[]> {
    const { items, nextCursor } = await this.page({ ...filter, limit }, caller);
    if (nextCursor !== null) linkToNext(nextCursor, request, reply);
    return items;
  }

  /** Entries hold whole texts: pages as short as the list's, however many lines the file has. */
  @Serves(exportAuditEndpoint)
  export(
    @Query(new ParsedQuery(exportAuditEndpoint)) filter: AuditQuery,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return sendCsv(reply, 'audit-log', auditColumns, ({ cursor }) =>
      this.page({ ...filter, cursor, limit: auditPageLimit }, caller),
    );
  }

  /** Every service is asked for a page; what all of them know is complete up to the last entry that is shown. A service that does not answer fails the call. */
  private async page(asked: AuditQuery & { limit: number }, caller: CallOptions) {
    const lists = await Promise.all(
      Object.values(auditContracts).map((contract) => this.rpc.call(contract, asked, caller)),
    );
    const { entries, older } = newestOf(lists, asked.limit);
    return { items: entries, nextCursor: older ? entries.at(-1)!._id : null };
  }
}
