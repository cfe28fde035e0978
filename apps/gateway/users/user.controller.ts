import { Body, Controller, Param } from '@nestjs/common';
import { type CallInput, identityContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { LiveSessions } from '../auth/live-sessions.js';
import { Caller } from '../policy/caller.js';
import { IfMatch } from '../policy/if-match.js';
import { createdAnswer, deletedAnswer, updatedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import {
  addUserEndpoint,
  getUserEndpoint,
  listUsersEndpoint,
  removeUserEndpoint,
  restoreUserEndpoint,
  updateUserEndpoint,
} from './user.endpoints.js';

type UserBody = CallInput<typeof identityContract.addAdmin>['body'];

/** The admin list, at its documented addresses. Who is an admin is asked anew after each change. */
@Controller()
export class UserController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly sessions: LiveSessions,
  ) {}

  @Serves(listUsersEndpoint)
  list(@Caller() caller: CallOptions) {
    return this.rpc.call(identityContract.listAdmins, {}, caller);
  }

  @Serves(getUserEndpoint)
  item(@Param('id') id: string, @Caller() caller: CallOptions) {
    return this.rpc.call(identityContract.admin, { id }, caller);
  }

  @Serves(addUserEndpoint)
  async add(@Body(new ParsedBody(addUserEndpoint)) body: UserBody, @Caller() caller: CallOptions) {
    const record = await this.rpc.call(identityContract.addAdmin, { body }, caller);
    this.sessions.forgetAll();
    return createdAnswer(record);
  }

  @Serves(updateUserEndpoint)
  async update(
    @Param('id') id: string,
    @Body(new ParsedBody(updateUserEndpoint)) body: UserBody,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    const result = await this.rpc.call(identityContract.updateAdmin, { id, body, ifVersion }, caller);
    this.sessions.forgetAll();
    return updatedAnswer(result);
  }

  @Serves(removeUserEndpoint)
  async remove(@Param('id') id: string, @Caller() caller: CallOptions) {
    const removed = await this.rpc.call(identityContract.removeAdmin, { id }, caller);
    this.sessions.forgetAll();
    return deletedAnswer(removed);
  }

  @Serves(restoreUserEndpoint)
  async restore(@Param('id') id: string, @Caller() caller: CallOptions) {
    const record = await this.rpc.call(identityContract.restoreAdmin, { id }, caller);
    this.sessions.forgetAll();
    return record;
  }
}
