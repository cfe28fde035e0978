import { Body, Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Credentials, DomainError, identityContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { Caller } from '../policy/caller.js';
import { acknowledgedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import {
  loginEndpoint,
  logoutEndpoint,
  meEndpoint,
  refreshEndpoint,
  registerEndpoint,
} from './auth.endpoints.js';
import { clientOf } from './client-of.js';
import { SessionCookies } from './cookies.js';
import { DeviceCookie } from './device-cookie.js';
import { LiveSessions } from './live-sessions.js';
import { SignInCookies } from './sign-in-cookies.js';

@Controller()
export class AuthController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly cookies: SessionCookies,
    private readonly signInCookies: SignInCookies,
    private readonly sessions: LiveSessions,
    private readonly device: DeviceCookie,
  ) {}

  @Serves(registerEndpoint)
  async register(
    @Body(new ParsedBody(registerEndpoint)) credentials: Credentials,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    const input = { credentials, client: this.device.client(request, reply) };
    return this.cookies.signIn(reply, await this.rpc.call(identityContract.register, input, caller));
  }

  @Serves(loginEndpoint)
  async login(
    @Body(new ParsedBody(loginEndpoint)) credentials: Credentials,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    const input = { credentials, client: this.device.client(request, reply) };
    const signedIn = await this.rpc
      .call(identityContract.login, input, caller)
      .catch((failure: unknown) => Promise.reject(this.signInCookies.keepPending(reply, failure)));
    return this.cookies.signIn(reply, signedIn);
  }

  @Serves(refreshEndpoint)
  async refresh(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    const refreshToken = this.cookies.refreshToken(request);
    if (refreshToken === undefined) throw new DomainError('SESSION_ENDED');
    try {
      const input = { refreshToken, client: clientOf(request) };
      return this.cookies.signIn(reply, await this.rpc.call(identityContract.refresh, input, caller));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'SESSION_ENDED') this.cookies.clear(reply);
      throw error;
    }
  }

  @Serves(logoutEndpoint)
  async logout(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    const refreshToken = this.cookies.refreshToken(request);
    const sessionId = 'sessionId' in caller.actor ? caller.actor.sessionId : undefined;
    if (refreshToken !== undefined || sessionId !== undefined) {
      await this.rpc.call(identityContract.logout, { refreshToken, sessionId }, caller);
      this.sessions.forgetAll();
    }
    this.cookies.clear(reply);
    return acknowledgedAnswer;
  }

  @Serves(meEndpoint)
  async me(@Caller() { actor }: CallOptions) {
    const holder = 'sessionId' in actor ? await this.sessions.holder(actor.sessionId) : null;
    if (!holder) throw new DomainError('SESSION_ENDED');
    return { account: holder.account };
  }
}
