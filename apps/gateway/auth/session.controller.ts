import {
  acknowledgedAnswer,
  DomainError,
  identityContract,
  type OperationInput,
  sessionOperations,
} from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { type Context, Serves } from '../routing/serves.js';
import { clientOf } from '../routing/gateway-request.js';
import { SessionCookies } from './session-cookies.js';
import { DeviceCookie } from './device-cookie.js';
import { LiveSessions } from './live-sessions.js';
import { SignInCookies } from './sign-in-cookies.js';

@Serves(sessionOperations)
export class SessionController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly cookies: SessionCookies,
    private readonly signInCookies: SignInCookies,
    private readonly sessions: LiveSessions,
    private readonly device: DeviceCookie,
  ) {}

  async register(
    credentials: OperationInput<typeof sessionOperations.register>,
    { request, reply, caller }: Context,
  ) {
    const input = { credentials, client: this.device.recognizeClient(request, reply) };
    return this.cookies.setAndAnswer(reply, await this.rpc.call(identityContract.register, input, caller));
  }

  async login(
    credentials: OperationInput<typeof sessionOperations.login>,
    { request, reply, caller }: Context,
  ) {
    const input = { credentials, client: this.device.recognizeClient(request, reply) };
    const signedIn = await this.rpc.call(identityContract.login, input, caller).catch((failure: unknown) => {
      this.signInCookies.setPendingTokenIfSecondFactorRequired(reply, failure);
      throw failure;
    });
    return this.cookies.setAndAnswer(reply, signedIn);
  }

  async refresh(_: object, { request, reply, caller }: Context) {
    const refreshToken = this.cookies.refreshToken(request);
    if (refreshToken === undefined) {
      // Otherwise, the cookie `signed_in` would make the browser try again and again.
      this.cookies.clear(reply);
      throw new DomainError('SESSION_ENDED');
    }
    try {
      const input = { refreshToken, client: clientOf(request) };
      return this.cookies.setAndAnswer(reply, await this.rpc.call(identityContract.refresh, input, caller));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'SESSION_ENDED') this.cookies.clear(reply);
      throw error;
    }
  }

  async logout(_: object, { request, reply, caller }: Context) {
    const refreshToken = this.cookies.refreshToken(request);
    const sessionId = 'sessionId' in caller.actor ? caller.actor.sessionId : undefined;
    if (refreshToken !== undefined || sessionId !== undefined) {
      await this.rpc.call(identityContract.logout, { refreshToken, sessionId }, caller);
      // The broadcast that the session has ended may arrive after this answer, or never.
      this.sessions.clearCache();
    }
    this.cookies.clear(reply);
    return acknowledgedAnswer;
  }

  async getMe(_: object, { caller: { actor } }: Context) {
    const holder = 'sessionId' in actor ? await this.sessions.findHolder(actor.sessionId) : null;
    if (!holder) throw new DomainError('SESSION_ENDED');
    return { account: holder.account };
  }
}
