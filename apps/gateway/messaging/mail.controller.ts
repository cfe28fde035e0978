import { Body, Controller, Headers, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallInput, DomainError, mailContract, readMailSignature } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { sendCsv } from '../csv/csv-download.js';
import { Caller } from '../policy/caller.js';
import { createdAnswer } from '../routing/acknowledged.js';
import { Serves } from '../routing/endpoint.js';
import { listAnswer } from '../routing/listing.js';
import { ParsedQuery } from '../routing/query.js';
import {
  listMailsEndpoint,
  mailStatusEndpoint,
  reportBounceEndpoint,
  reportMailEventsEndpoint,
  resendMailEndpoint,
} from './mail.endpoints.js';
import { exportMailsEndpoint, mailColumns } from './messaging.csv.js';

type ListQuery = CallInput<typeof mailContract.list>;

@Controller()
export class MailController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(listMailsEndpoint)
  async list(
    @Query(new ParsedQuery(listMailsEndpoint)) query: ListQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    return listAnswer(await this.rpc.call(mailContract.list, query, caller), request, reply);
  }

  @Serves(exportMailsEndpoint)
  export(
    @Query(new ParsedQuery(exportMailsEndpoint)) query: ListQuery,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return sendCsv(reply, 'mails', mailColumns, (part) =>
      this.rpc.call(mailContract.list, { ...query, ...part }, caller),
    );
  }

  @Serves(mailStatusEndpoint)
  status(@Caller() caller: CallOptions) {
    return this.rpc.call(mailContract.status, {}, caller);
  }

  @Serves(resendMailEndpoint)
  async resend(@Param('id') id: string, @Caller() caller: CallOptions) {
    return createdAnswer(await this.rpc.call(mailContract.resend, { id }, caller));
  }

  /** FORBIDDEN at once where the signature is none, or too old: only one that may be good is worth messaging's while. */
  @Serves(reportMailEventsEndpoint)
  async reportEvents(
    @Body() body: Buffer | undefined,
    @Headers('mail-signature') signature: string | undefined,
    @Caller() caller: CallOptions,
  ) {
    if (signature === undefined || !readMailSignature(signature, Date.now()))
      throw new DomainError('FORBIDDEN');
    const input = { signature, body: (body ?? Buffer.alloc(0)).toString('base64') };
    return this.rpc.call(mailContract.reportEvents, input, caller);
  }

  @Serves(reportBounceEndpoint)
  reportBounce(
    @Body() body: Buffer | undefined,
    @Headers('authorization') authorization: string | undefined,
    @Caller() caller: CallOptions,
  ) {
    const token = /^Bearer (\S{1,500})$/i.exec(authorization ?? '')?.[1] ?? '';
    const report = (body ?? Buffer.alloc(0)).toString('base64');
    return this.rpc.call(mailContract.reportBounce, { token, report }, caller);
  }
}
