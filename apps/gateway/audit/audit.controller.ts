import { Controller, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditContracts, type AuditEntry, type CallInput } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { Caller } from '../policy/caller.js';
import { Serves } from '../routing/endpoint.js';
import { linkToNext } from '../routing/listing.js';
import { ParsedQuery } from '../routing/query.js';
import { auditEndpoint } from './audit.endpoints.js';
import { newestOf } from './newest-of.js';

type AuditQuery = CallInput<typeof auditContracts.content>;

const usualLimit = 25;

@Controller()
export class AuditController {
  constructor(private readonly rpc: RpcClient) {}

  /** Every service is asked for a page; what all of them know is complete up to the last entry that is shown. A service that does not answer fails the call. */
  @Serves(auditEndpoint)
  async list(
    @Query(new ParsedQuery(auditEndpoint)) { limit = usualLimit, ...filter }: AuditQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<AuditEntry[]> {
    const asked = { ...filter, limit };
    const lists = await Promise.all(
      Object.values(auditContracts).map((contract) => this.rpc.call(contract, asked, caller)),
    );
    const { entries, older } = newestOf(lists, limit);
    if (older) linkToNext(entries.at(-1)!._id, request, reply);
    return entries;
  }
}
