import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  accountContract,
  type HandlerInput,
  identityContract,
  type Output,
  type SignedIn,
} from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { OwnSessionService } from './own-session.service.js';
import { SessionService } from './session.service.js';

@Controller()
export class SessionController {
  constructor(
    private readonly sessions: SessionService,
    private readonly own: OwnSessionService,
  ) {}

  @Handles(identityContract.refresh)
  refresh(
    @Payload() { refreshToken, client }: HandlerInput<typeof identityContract.refresh>,
  ): Promise<SignedIn> {
    return this.sessions.refresh(refreshToken, client);
  }

  /** Needs no inbox: ending a session twice changes nothing. */
  @Handles(identityContract.logout)
  async logout(
    @Payload() target: HandlerInput<typeof identityContract.logout>,
  ): Promise<Output<typeof identityContract.logout>> {
    return { ended: await this.sessions.end(target) };
  }

  @Handles(identityContract.session)
  async session(
    @Payload() { sessionId }: HandlerInput<typeof identityContract.session>,
  ): Promise<Output<typeof identityContract.session>> {
    const holder = await this.sessions.holder(sessionId);
    return { account: holder?.account ?? null, freshUntil: holder?.freshUntil.toISOString() ?? null };
  }

  @Handles(accountContract.sessions)
  list(@Ctx() { actor }: RequestContext): Promise<Output<typeof accountContract.sessions>> {
    return this.own.list(actor);
  }

  @Handles(accountContract.endSession)
  end(
    @Payload() { id }: HandlerInput<typeof accountContract.endSession>,
    @Ctx() { actor }: RequestContext,
  ): Promise<Output<typeof accountContract.endSession>> {
    return this.own.end(id, actor);
  }

  @Handles(accountContract.endAllSessions)
  endAll(@Ctx() { actor }: RequestContext): Promise<Output<typeof accountContract.endAllSessions>> {
    return this.own.endAll(actor);
  }
}
