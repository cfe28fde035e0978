import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountContract, type HandlerInputs, identityContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { OwnSessionService } from './own-session.service.js';
import { SessionService } from './session.service.js';

type Input = HandlerInputs<typeof accountContract & typeof identityContract>;

@Controller()
export class SessionController {
  constructor(
    private readonly sessions: SessionService,
    private readonly own: OwnSessionService,
  ) {}

  @Handles(identityContract.refresh)
  refresh(@Payload() { refreshToken, client }: Input['refresh']) {
    return this.sessions.refresh(refreshToken, client);
  }

  /** Needs no inbox: ending a session twice changes nothing. */
  @Handles(identityContract.logout)
  async logout(@Payload() target: Input['logout']) {
    return { ended: await this.sessions.end(target) };
  }

  @Handles(identityContract.session)
  async session(@Payload() { sessionId }: Input['session']) {
    const holder = await this.sessions.holder(sessionId);
    return { account: holder?.account ?? null, freshUntil: holder?.freshUntil.toISOString() ?? null };
  }

  @Handles(accountContract.sessions)
  list(@Ctx() { actor }: RequestContext) {
    return this.own.list(actor);
  }

  @Handles(accountContract.endSession)
  end(@Payload() { id }: Input['endSession'], @Ctx() { actor }: RequestContext) {
    return this.own.end(id, actor);
  }

  @Handles(accountContract.endAllSessions)
  endAll(@Ctx() { actor }: RequestContext) {
    return this.own.endAll(actor);
  }
}
