import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { subscriberImportContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { sendCsv } from '../csv/csv-download.js';
import { Caller } from '../policy/caller.js';
import { Serves } from '../routing/endpoint.js';
import { ParsedQuery } from '../routing/query.js';
import {
  exportRefusalsEndpoint,
  getImportEndpoint,
  importSubscribersEndpoint,
  refusalColumns,
} from './subscriber-import.endpoints.js';
import { SubscriberImports } from './subscriber-imports.js';

@Controller()
export class SubscriberImportController {
  constructor(
    private readonly imports: SubscriberImports,
    private readonly rpc: RpcClient,
  ) {}

  @Serves(importSubscribersEndpoint)
  start(
    @Body() body: Buffer | undefined,
    @Query(new ParsedQuery(importSubscribersEndpoint)) query: { name?: string; consent: string },
    @Caller() caller: CallOptions,
  ) {
    return this.imports.start(body ?? Buffer.alloc(0), query, caller);
  }

  @Serves(getImportEndpoint)
  get(@Param('id') id: string, @Caller() caller: CallOptions) {
    return this.rpc.call(subscriberImportContract.get, { id }, caller);
  }

  @Serves(exportRefusalsEndpoint)
  async refused(
    @Param('id') id: string,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    await sendCsv(reply, 'refused', refusalColumns, (part) =>
      this.rpc.call(subscriberImportContract.refusals, { id, ...part }, caller),
    );
  }
}
