import { Body, Controller, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messagingContract, type Subscription, type SubscriptionLink } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { clientAddress } from '../limits/client-address.js';
import { Caller } from '../policy/caller.js';
import { Serves } from '../routing/endpoint.js';
import { ParsedQuery } from '../routing/query.js';
import { SubscriptionPages } from './subscription-pages.js';
import {
  confirmEndpoint,
  confirmPageEndpoint,
  subscribeAgainEndpoint,
  unsubscribeEndpoint,
  unsubscribePageEndpoint,
} from './subscription.endpoints.js';

interface LinkQuery {
  token: string;
  campaign?: string;
  asked?: 'yes';
}

@Controller()
export class SubscriptionController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pages: SubscriptionPages,
  ) {}

  @Serves(confirmPageEndpoint)
  confirmPage(
    @Query(new ParsedQuery(confirmPageEndpoint)) query: LinkQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return this.pages.show('confirm', query, { request, reply }, () => this.of('confirm', query, caller));
  }

  @Serves(unsubscribePageEndpoint)
  unsubscribePage(
    @Query(new ParsedQuery(unsubscribePageEndpoint)) query: LinkQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return this.pages.show('unsubscribe', query, { request, reply }, () =>
      this.of('unsubscribe', query, caller),
    );
  }

  @Serves(confirmEndpoint)
  confirm(
    @Query(new ParsedQuery(confirmEndpoint)) { token }: LinkQuery,
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return this.pages.answer('confirm', { token, body }, { request, reply }, () =>
      this.rpc.call(messagingContract.confirmSubscription, consent(token, request), caller),
    );
  }

  @Serves(unsubscribeEndpoint)
  unsubscribe(
    @Query(new ParsedQuery(unsubscribeEndpoint)) { token, campaign }: LinkQuery,
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return this.pages.answer('unsubscribe', { token, body }, { request, reply }, () =>
      this.rpc.call(messagingContract.unsubscribe, { token: bounded(token), campaign }, caller),
    );
  }

  @Serves(subscribeAgainEndpoint)
  subscribeAgain(
    @Query(new ParsedQuery(subscribeAgainEndpoint)) { token }: LinkQuery,
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return this.pages.answer('unsubscribe', { token, body, asked: 'yes' }, { request, reply }, () =>
      this.rpc.call(messagingContract.subscribeAgain, consent(token, request), caller),
    );
  }

  private of(link: SubscriptionLink, { token }: LinkQuery, caller: CallOptions): Promise<Subscription> {
    return this.rpc.call(messagingContract.subscription, { link, token: bounded(token) }, caller);
  }
}

/** No token is longer; what is cut off was none. */
const bounded = (token: string) => token.slice(0, 200);

/** Whose it is, and from where they gave it. */
const consent = (token: string, request: FastifyRequest) => ({
  token: bounded(token),
  ip: clientAddress(request),
});
