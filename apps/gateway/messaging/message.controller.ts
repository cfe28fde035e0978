import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallInput, type Message, messagingContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { Caller } from '../policy/caller.js';
import { sendCsv } from '../csv/csv-download.js';
import { IfMatch } from '../policy/if-match.js';
import { createdAnswer, deletedAnswer, updatedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import { listAnswer } from '../routing/listing.js';
import { ParsedQuery } from '../routing/query.js';
import {
  addMessageEndpoint,
  getMessageEndpoint,
  listMessagesEndpoint,
  removeMessageEndpoint,
  removeMessagesEndpoint,
  restoreMessagesEndpoint,
  updateMessageEndpoint,
  updateMessagesEndpoint,
} from './message.endpoints.js';
import { exportMessagesEndpoint, messageColumns } from './messaging.csv.js';
import { type FormSigns, refuseAutomation } from './public-form.js';

type MessageBody = CallInput<typeof messagingContract.addMessage>['body'] & FormSigns;
type Chosen = CallInput<typeof messagingContract.readMessages>;
type ListQuery = CallInput<typeof messagingContract.listMessages>;

@Controller()
export class MessageController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(addMessageEndpoint)
  async add(@Body(new ParsedBody(addMessageEndpoint)) sent: MessageBody, @Caller() caller: CallOptions) {
    const body = refuseAutomation(sent);
    return createdAnswer(await this.rpc.call(messagingContract.addMessage, { body }, caller));
  }

  @Serves(listMessagesEndpoint)
  async list(
    @Query(new ParsedQuery(listMessagesEndpoint)) query: ListQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    return listAnswer(await this.rpc.call(messagingContract.listMessages, query, caller), request, reply);
  }

  @Serves(exportMessagesEndpoint)
  export(
    @Query(new ParsedQuery(exportMessagesEndpoint)) query: ListQuery,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return sendCsv(reply, 'messages', messageColumns, (part) =>
      this.rpc.call(messagingContract.listMessages, { ...query, ...part }, caller),
    );
  }

  @Serves(getMessageEndpoint)
  item(@Param('id') id: string, @Caller() caller: CallOptions) {
    return this.rpc.call(messagingContract.message, { id }, caller);
  }

  @Serves(updateMessageEndpoint)
  async update(
    @Param('id') id: string,
    @Body(new ParsedBody(updateMessageEndpoint)) { messageStatus }: Pick<Message, 'messageStatus'>,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    const input = { id, messageStatus, ifVersion };
    return updatedAnswer(await this.rpc.call(messagingContract.setMessageStatus, input, caller));
  }

  @Serves(removeMessageEndpoint)
  async remove(
    @Param('id') id: string,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return deletedAnswer(await this.rpc.call(messagingContract.removeMessage, { id, ifVersion }, caller));
  }

  @Serves(updateMessagesEndpoint)
  updateAll(@Body(new ParsedBody(updateMessagesEndpoint)) { ids }: Chosen, @Caller() caller: CallOptions) {
    return this.rpc.call(messagingContract.readMessages, { ids }, caller);
  }

  @Serves(removeMessagesEndpoint)
  removeAll(@Body(new ParsedBody(removeMessagesEndpoint)) body: Chosen, @Caller() caller: CallOptions) {
    return this.rpc.call(messagingContract.removeMessages, body, caller);
  }

  @Serves(restoreMessagesEndpoint)
  restoreAll(@Body(new ParsedBody(restoreMessagesEndpoint)) body: Chosen, @Caller() caller: CallOptions) {
    return this.rpc.call(messagingContract.restoreMessages, body, caller);
  }
}
