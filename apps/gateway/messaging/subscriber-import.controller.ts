import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { subscriberImportContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { sendCsv } from '../csv/csv-download.js';
import { Caller } from '../policy/caller.js';
import { Serves } from '../routing/endpoint.js';
import { ParsedQuery } from '../routing/query.js';
import { rawContentType } from '../routing/raw-body.js';
import { sentFile } from './sent-file.js';
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
  async start(
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
    @Query(new ParsedQuery(importSubscribersEndpoint)) query: { name?: string; consent: string },
    @Caller() caller: CallOptions,
  ) {
    const file = await sentFile(body ?? Buffer.alloc(0), rawContentType(request));
    return this.imports.start(file, query, caller);
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
