import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type HandlerInput, identityContract, type Output, type SignedIn } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { SessionService } from './session.service.js';

@Controller()
export class SessionController {
  constructor(private readonly sessions: SessionService) {}

  @Handles(identityContract.refresh)
  refresh(
    @Payload() { refreshToken, client }: HandlerInput<typeof identityContract.refresh>,
  ): Promise<SignedIn> {
    return this.sessions.refresh(refreshToken, client);
  }

  /** Needs no inbox: what has ended stays ended. */
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
    return { account: await this.sessions.holder(sessionId) };
  }
}
