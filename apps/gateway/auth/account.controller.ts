import { Body, Controller, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountContract, type CallInput } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { Caller } from '../policy/caller.js';
import { acknowledgedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import {
  changeEmailEndpoint,
  changePasswordEndpoint,
  deleteAccountEndpoint,
  endAllSessionsEndpoint,
  endSessionEndpoint,
  forgotPasswordEndpoint,
  listSessionsEndpoint,
  ownDataEndpoint,
  resendVerificationEndpoint,
  resetPasswordEndpoint,
  signInMethodsEndpoint,
  verifyEmailEndpoint,
} from './account.endpoints.js';
import { clientOf } from './client-of.js';
import { SessionCookies } from './cookies.js';
import { LiveSessions } from './live-sessions.js';
import { OwnData } from './own-data.js';

type Input<C extends keyof typeof accountContract> = CallInput<(typeof accountContract)[C]>;

/** What people do with their own account. Who holds which session is asked anew after each change. */
@Controller()
export class OwnAccountController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly cookies: SessionCookies,
    private readonly sessions: LiveSessions,
    private readonly ownData: OwnData,
  ) {}

  @Serves(verifyEmailEndpoint)
  async verifyEmail(
    @Body(new ParsedBody(verifyEmailEndpoint)) body: Input<'verifyEmail'>,
    @Caller() caller: CallOptions,
  ) {
    const { email } = await this.rpc.call(accountContract.verifyEmail, body, caller);
    this.sessions.forgetAll();
    return { ...acknowledgedAnswer, email };
  }

  @Serves(resendVerificationEndpoint)
  async resend(@Caller() caller: CallOptions) {
    await this.rpc.call(accountContract.resendVerification, {}, caller);
    return acknowledgedAnswer;
  }

  @Serves(forgotPasswordEndpoint)
  async forgot(
    @Body(new ParsedBody(forgotPasswordEndpoint)) body: Input<'forgotPassword'>,
    @Caller() caller: CallOptions,
  ) {
    await this.rpc.call(accountContract.forgotPassword, body, caller);
    return acknowledgedAnswer;
  }

  @Serves(resetPasswordEndpoint)
  async reset(
    @Body(new ParsedBody(resetPasswordEndpoint)) body: Input<'resetPassword'>,
    @Caller() caller: CallOptions,
  ) {
    const { email } = await this.rpc.call(accountContract.resetPassword, body, caller);
    this.sessions.forgetAll();
    return { ...acknowledgedAnswer, email };
  }

  @Serves(changePasswordEndpoint)
  async changePassword(
    @Body(new ParsedBody(changePasswordEndpoint)) body: Omit<Input<'changePassword'>, 'client'>,
    @Req() request: FastifyRequest,
    @Caller() caller: CallOptions,
  ) {
    const input = { ...body, client: clientOf(request) };
    const { endedSessions } = await this.rpc.call(accountContract.changePassword, input, caller);
    this.sessions.forgetAll();
    return { ...acknowledgedAnswer, endedSessions };
  }

  @Serves(changeEmailEndpoint)
  async changeEmail(
    @Body(new ParsedBody(changeEmailEndpoint)) body: Omit<Input<'changeEmail'>, 'client'>,
    @Req() request: FastifyRequest,
    @Caller() caller: CallOptions,
  ) {
    await this.rpc.call(accountContract.changeEmail, { ...body, client: clientOf(request) }, caller);
    return acknowledgedAnswer;
  }

  @Serves(deleteAccountEndpoint)
  async delete(
    @Body(new ParsedBody(deleteAccountEndpoint)) body: Omit<Input<'deleteAccount'>, 'client'>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    await this.rpc.call(accountContract.deleteAccount, { ...body, client: clientOf(request) }, caller);
    this.sessions.forgetAll();
    this.cookies.clear(reply);
    return acknowledgedAnswer;
  }

  @Serves(listSessionsEndpoint)
  list(@Caller() caller: CallOptions) {
    return this.rpc.call(accountContract.sessions, {}, caller);
  }

  @Serves(endAllSessionsEndpoint)
  async endAll(@Res({ passthrough: true }) reply: FastifyReply, @Caller() caller: CallOptions) {
    const { ended } = await this.rpc.call(accountContract.endAllSessions, {}, caller);
    this.sessions.forgetAll();
    this.cookies.clear(reply);
    return { ...acknowledgedAnswer, ended };
  }

  @Serves(endSessionEndpoint)
  async end(
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    await this.rpc.call(accountContract.endSession, { id }, caller);
    this.sessions.forgetAll();
    if ('sessionId' in caller.actor && caller.actor.sessionId === id) this.cookies.clear(reply);
    return acknowledgedAnswer;
  }

  @Serves(signInMethodsEndpoint)
  methods(@Caller() caller: CallOptions) {
    return this.rpc.call(accountContract.signInMethods, {}, caller);
  }

  @Serves(ownDataEndpoint)
  data(@Res({ passthrough: true }) reply: FastifyReply, @Caller() caller: CallOptions) {
    reply.header('Content-Disposition', 'attachment; filename="my-data.json"');
    return this.ownData.of(caller);
  }
}
