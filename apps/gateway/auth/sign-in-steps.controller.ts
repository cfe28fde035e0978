import { Body, Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallInput, DomainError, secondFactorContract as contract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { Caller } from '../policy/caller.js';
import { acknowledgedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import { clientOf } from './client-of.js';
import { SessionCookies } from './cookies.js';
import { DeviceCookie } from './device-cookie.js';
import { LiveSessions } from './live-sessions.js';
import {
  confirmEndpoint,
  confirmOptionsEndpoint,
  finishEndpoint,
  finishOptionsEndpoint,
  passkeyOptionsEndpoint,
  passkeySignInEndpoint,
} from './second-factor.endpoints.js';
import { SignInCookies } from './sign-in-cookies.js';

type Proof = CallInput<typeof contract.finish>['proof'];
type Confirmation = Omit<CallInput<typeof contract.confirm>, 'client'>;

/** The second step of a sign-in, passkeys, and proving again who is signed in. */
@Controller()
export class SignInStepsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly cookies: SessionCookies,
    private readonly signInCookies: SignInCookies,
    private readonly sessions: LiveSessions,
    private readonly device: DeviceCookie,
  ) {}

  @Serves(finishEndpoint)
  async finish(
    @Body(new ParsedBody(finishEndpoint)) proof: Proof,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    const input = { token: this.pendingOf(request), proof, client: this.device.client(request, reply) };
    const signedIn = await this.rpc.call(contract.finish, input, caller);
    this.signInCookies.clearPending(reply);
    return this.cookies.signIn(reply, signedIn);
  }

  @Serves(finishOptionsEndpoint)
  finishOptions(@Req() request: FastifyRequest, @Caller() caller: CallOptions) {
    const input = { purpose: 'finish' as const, token: this.pendingOf(request) };
    return this.rpc.call(contract.passkeyChallenge, input, caller);
  }

  @Serves(passkeyOptionsEndpoint)
  passkeyOptions(@Caller() caller: CallOptions) {
    return this.rpc.call(contract.passkeyChallenge, { purpose: 'signIn' }, caller);
  }

  @Serves(passkeySignInEndpoint)
  async signInByPasskey(
    @Body(new ParsedBody(passkeySignInEndpoint)) { passkey }: { passkey: Record<string, unknown> },
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    const input = { passkey, client: this.device.client(request, reply) };
    return this.cookies.signIn(reply, await this.rpc.call(contract.passkeySignIn, input, caller));
  }

  @Serves(confirmEndpoint)
  async confirm(
    @Body(new ParsedBody(confirmEndpoint)) proof: Confirmation,
    @Req() request: FastifyRequest,
    @Caller() caller: CallOptions,
  ) {
    await this.rpc.call(contract.confirm, { ...proof, client: clientOf(request) }, caller);
    this.sessions.forgetAll();
    return acknowledgedAnswer;
  }

  @Serves(confirmOptionsEndpoint)
  confirmOptions(@Caller() caller: CallOptions) {
    return this.rpc.call(contract.passkeyChallenge, { purpose: 'confirm' }, caller);
  }

  private pendingOf(request: FastifyRequest): string {
    const token = this.signInCookies.pending(request);
    if (token === undefined) throw new DomainError('SIGN_IN_EXPIRED');
    return token;
  }
}
