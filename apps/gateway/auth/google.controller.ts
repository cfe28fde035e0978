import { Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { DomainError, googleContract, googleOperations, type OperationInput } from '#libs/contracts';
import { LOGGER } from '#libs/platform';
import { RpcClient } from '#libs/transport';
import { encodeLocation } from '../answers/location.js';
import { type Context, Serves } from '../routing/serves.js';
import { SessionCookies } from './session-cookies.js';
import { DeviceCookie } from './device-cookie.js';
import { LiveSessions } from './live-sessions.js';
import { SignInCookies } from './sign-in-cookies.js';

/** A person sees these answers, so a failure redirects to the login screen, which explains it. */
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

  async joinWithGoogle(
    { return: returnTo = '', purpose }: OperationInput<typeof googleOperations.joinWithGoogle>,
    { request, reply, caller }: Context,
  ): Promise<void> {
    await this.redirectOrShowLogin(reply, async () => {
      const browserSecret = this.signInCookies.googleSecret(request);
      const input = { purpose, returnTo, browser: browserSecret };
      const flow = await this.rpc.call(googleContract.begin, input, caller);
      this.signInCookies.setGoogleSecret(reply, flow.browser, new Date(flow.expiresAt));
      return flow.url;
    });
  }

  async returnFromGoogle(_: object, { request, reply, caller }: Context): Promise<void> {
    await this.redirectOrShowLogin(reply, async () => {
      const query = request.url.split('?').slice(1).join('?');
      // The most that `googleContract.finish` accepts.
      if (query.length > 8000) throw new DomainError('SIGN_IN_REFUSED');
      const browserSecret = this.signInCookies.googleSecret(request);
      const input = { query, browser: browserSecret, client: this.device.recognizeClient(request, reply) };
      const { returnTo, signedIn } = await this.rpc.call(googleContract.finish, input, caller);
      if (signedIn) this.cookies.set(reply, signedIn);
      // Confirming with Google makes the existing session fresh, which a cached session does not show.
      this.sessions.clearCache();
      return returnTo;
    });
  }

  private async redirectOrShowLogin(reply: FastifyReply, getLocation: () => Promise<string>): Promise<void> {
    const location = await getLocation().catch((error: unknown) => {
      const { code, details } = error instanceof DomainError ? error : new DomainError('INTERNAL');
      this.signInCookies.setPendingTokenIfSecondFactorRequired(reply, error);
      if (details.secondFactor)
        return `/login?step=second-factor&methods=${details.secondFactor.methods.join()}`;
      if (code === 'INTERNAL')
        this.logger.error({ err: error }, 'Signing in or confirming with Google failed');
      return `/login?problem=${code}`;
    });
    reply.header('Location', encodeLocation(location));
  }
}
