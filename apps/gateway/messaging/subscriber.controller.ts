import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallInput, messagingContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { clientAddress } from '../limits/client-address.js';
import { Caller } from '../policy/caller.js';
import { sendCsv } from '../csv/csv-download.js';
import { IfMatch } from '../policy/if-match.js';
import { createdAnswer, deletedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import { listAnswer } from '../routing/listing.js';
import { ParsedQuery } from '../routing/query.js';
import { exportSubscribersEndpoint, subscriberColumns } from './messaging.csv.js';
import { type FormSigns, refuseAutomation } from './public-form.js';
import {
  addSubscriberEndpoint,
  liftSuppressionEndpoint,
  listSubscribersEndpoint,
  removeSubscriberEndpoint,
  removeSubscribersEndpoint,
  restoreSubscribersEndpoint,
} from './subscriber.endpoints.js';

type SubscriberBody = CallInput<typeof messagingContract.addSubscriber>['body'] & FormSigns;
type Chosen = CallInput<typeof messagingContract.removeSubscribers>;
type ListQuery = CallInput<typeof messagingContract.listSubscribers>;

@Controller()
export class SubscriberController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(addSubscriberEndpoint)
  async add(
    @Body(new ParsedBody(addSubscriberEndpoint)) sent: SubscriberBody,
    @Req() request: FastifyRequest,
    @Caller() caller: CallOptions,
  ) {
    const input = { body: refuseAutomation(sent), ip: clientAddress(request) };
    return createdAnswer(await this.rpc.call(messagingContract.addSubscriber, input, caller));
  }

  @Serves(listSubscribersEndpoint)
  async list(
    @Query(new ParsedQuery(listSubscribersEndpoint)) query: ListQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    return listAnswer(await this.rpc.call(messagingContract.listSubscribers, query, caller), request, reply);
  }

  @Serves(exportSubscribersEndpoint)
  export(
    @Query(new ParsedQuery(exportSubscribersEndpoint)) query: ListQuery,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return sendCsv(reply, 'subscribers', subscriberColumns, (part) =>
      this.rpc.call(messagingContract.listSubscribers, { ...query, ...part }, caller),
    );
  }

  @Serves(liftSuppressionEndpoint)
  liftSuppression(
    @Param('id') id: string,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return this.rpc.call(messagingContract.liftSuppression, { id, ifVersion }, caller);
  }

  @Serves(removeSubscriberEndpoint)
  async remove(
    @Param('id') id: string,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return deletedAnswer(await this.rpc.call(messagingContract.removeSubscriber, { id, ifVersion }, caller));
  }

  @Serves(removeSubscribersEndpoint)
  removeAll(@Body(new ParsedBody(removeSubscribersEndpoint)) body: Chosen, @Caller() caller: CallOptions) {
    return this.rpc.call(messagingContract.removeSubscribers, body, caller);
  }

  @Serves(restoreSubscribersEndpoint)
  restoreAll(@Body(new ParsedBody(restoreSubscribersEndpoint)) body: Chosen, @Caller() caller: CallOptions) {
    return this.rpc.call(messagingContract.restoreSubscribers, body, caller);
  }
}
