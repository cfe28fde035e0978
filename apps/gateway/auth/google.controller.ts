import { Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { DomainError, googleContract, googleOperations, type OperationInput } from '#libs/contracts';
import { LOGGER } from '#libs/platform';
import { RpcClient } from '#libs/transport';
import { locationOf } from '../answers/location.js';
import { type Context, Serves } from '../routing/serves.js';
import { SessionCookies } from './session-cookies.js';
import { DeviceCookie } from './device-cookie.js';
import { LiveSessions } from './live-sessions.js';
import { SignInCookies } from './sign-in-cookies.js';

/** A person sees these answers in the browser, so a failure redirects to the login screen, which explains it. */
@Serves(googleOperations)
export class GoogleController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly cookies: SessionCookies,
    private readonly signInCookies: SignInCookies,
    private readonly sessions: LiveSessions,
    private readonly device: DeviceCookie,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Sends the browser to Google. */
  async joinWithGoogle(
    { return: returnTo = '', purpose }: OperationInput<typeof googleOperations.joinWithGoogle>,
    { request, reply, caller }: Context,
  ): Promise<void> {
    await this.redirectOrLogin(reply, async () => {
      const browserSecret = this.signInCookies.google(request);
      const input = { purpose, returnTo, browser: browserSecret };
      const flow = await this.rpc.call(googleContract.begin, input, caller);
      this.signInCookies.setGoogle(reply, flow.browser, new Date(flow.expiresAt));
      return flow.url;
    });
  }

  /** Completes the sign-in or the confirmation with Google's answer. */
  async returnFromGoogle(_: object, { request, reply, caller }: Context): Promise<void> {
    await this.redirectOrLogin(reply, async () => {
      const query = request.url.split('?').slice(1).join('?');
      if (query.length > 8000) throw new DomainError('SIGN_IN_REFUSED');
      const browserSecret = this.signInCookies.google(request);
      const input = { query, browser: browserSecret, client: this.device.client(request, reply) };
      const { returnTo, signedIn } = await this.rpc.call(googleContract.finish, input, caller);
      if (signedIn) this.cookies.set(reply, signedIn);
      // A confirmation makes an existing session fresh, which this gateway must notice immediately.
      this.sessions.clearCache();
      return returnTo;
    });
  }

  private async redirectOrLogin(reply: FastifyReply, work: () => Promise<string>): Promise<void> {
    const location = await work().catch((error: unknown) => {
      const code = error instanceof DomainError ? error.code : 'INTERNAL';
      this.signInCookies.setCookieIfSecondStepMissing(reply, error);
      if (code === 'SECOND_FACTOR_REQUIRED') return '/login?step=second-factor';
      if (code === 'INTERNAL')
        this.logger.error({ err: error }, 'Signing in or confirming with Google failed');
      return `/login?problem=${code}`;
    });
    reply.header('Location', locationOf(location));
  }
}
