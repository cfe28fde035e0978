import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type HandlerInputs, secondFactorContract, type SignedIn } from '#libs/contracts';
import { Inbox } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Handles, type RequestContext } from '#libs/transport';
import { personOf } from '../account/person.js';
import { fingerprintOf } from '../core/fingerprint.js';
import { PasskeyService } from '../passkey/passkey.service.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { type Grant, SessionService } from '../session/session.service.js';
import { SignInService } from './sign-in.service.js';

type Input = HandlerInputs<typeof secondFactorContract>;

/** See `secondFactorContract` for the errors. */
@Injectable()
export class SecondFactorSignInService {
  constructor(
    private readonly inbox: Inbox,
    private readonly factors: SecondFactorService,
    private readonly passkeys: PasskeyService,
    private readonly signIns: SignInService,
    private readonly sessions: SessionService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Handles(secondFactorContract.finishSignIn)
  async finish(
    { token, proof, client }: Input['finishSignIn'],
    { requestId }: RequestContext,
  ): Promise<SignedIn> {
    const key = { requestId, fingerprint: fingerprintOf('second factor', token) };
    // If this request was completed before, its code or challenge is used up. So it is not checked, and its session gets new tokens.
    const storedReply = await this.inbox.findReply(key);
    const accountId = storedReply ? '' : await this.signIns.getAccountId(token);
    const checked =
      !storedReply && proof.code ? await this.factors.checkCode(accountId, proof.code) : undefined;
    const grant = await this.grantOnce(key, async (tx) => {
      if (checked) await this.factors.useCode(tx, accountId, checked);
      else await this.passkeys.verify(tx, proof.passkey!, { purpose: 'finish', accountId });
      return this.signIns.completeSecondStep(tx, token, client);
    });
    return this.logAndAnswer(grant, client.address, 'Signed in with a second factor');
  }

  @Handles(secondFactorContract.signInByPasskey)
  async signInByPasskey({ passkey, client }: Input['signInByPasskey'], { requestId }: RequestContext) {
    const key = { requestId, fingerprint: fingerprintOf('passkey', String(passkey.id)) };
    const grant = await this.grantOnce(key, async (tx) => {
      const accountId = await this.passkeys.verify(tx, passkey, { purpose: 'signIn', accountId: null });
      return this.sessions.open(tx, accountId, client);
    });
    return this.logAndAnswer(grant, client.address, 'Signed in with a passkey');
  }

  @Handles(secondFactorContract.issuePasskeyChallenge)
  async issuePasskeyChallenge({ purpose, token }: Input['issuePasskeyChallenge'], { actor }: RequestContext) {
    const getAccountId = {
      signIn: () => null,
      confirm: () => personOf(actor).accountId,
      finish: () => this.signIns.getAccountId(token ?? ''),
    }[purpose];
    return {
      options: await this.passkeys.issueRequestOptions({ purpose, accountId: await getAccountId() }),
    };
  }

  private grantOnce(
    key: { requestId: string; fingerprint: string },
    work: (tx: EntityManager) => Promise<Grant>,
  ): Promise<Grant> {
    return this.inbox.once<Grant, { sessionId: string }>(key, work, {
      toStored: ({ sessionId }) => ({ sessionId }),
      restore: ({ sessionId }, tx) => this.sessions.issueGrant(tx, sessionId),
    });
  }

  private logAndAnswer(grant: Grant, ipAddress: string, message: string): Promise<SignedIn> {
    const { account, sessionId } = grant;
    this.logger.info({ accountId: account.id, sessionId, address: ipAddress }, message);
    return this.sessions.answerFor(grant);
  }
}
