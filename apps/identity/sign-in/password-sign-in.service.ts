import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type HandlerInputs, identityContract } from '#libs/contracts';
import { Inbox } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Handles, type RequestContext } from '#libs/transport';
import { normalizeEmail } from '../account/email.js';
import { fingerprintOf } from '../core/fingerprint.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordService } from '../credential/password.service.js';
import { SessionService } from '../session/session.service.js';
import { type FirstStepResult, SignInService, type StoredFirstStepResult } from './sign-in.service.js';

type Input = HandlerInputs<typeof identityContract>;

@Injectable()
export class PasswordSignInService {
  constructor(
    private readonly inbox: Inbox,
    private readonly credentials: CredentialRepository,
    private readonly passwords: PasswordService,
    private readonly signIns: SignInService,
    private readonly sessions: SessionService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** An unknown e-mail address costs the same work, and gets the same answer, as a wrong password. */
  @Handles(identityContract.login)
  async signIn({ credentials: { email, password }, client }: Input['login'], { requestId }: RequestContext) {
    const emailNormalized = normalizeEmail(email);
    const { address: ipAddress } = client;
    const credential = await this.credentials.findByEmail(emailNormalized);
    const hash = credential?.passwordHash ?? null;
    const matches = await this.passwords.verifyThrottled(hash, password, [emailNormalized, ipAddress]);
    if (!credential || !matches) {
      // The e-mail address is not logged: people type passwords into the wrong field.
      this.logger.warn({ accountId: credential?.accountId, address: ipAddress }, 'Sign-in failed');
      throw new DomainError('INVALID_CREDENTIALS');
    }

    const { accountId } = credential;
    const firstStep = await this.inbox.once<FirstStepResult, StoredFirstStepResult>(
      { requestId, fingerprint: fingerprintOf('login', accountId) },
      async (tx) => {
        // A session must not start if the password was replaced while it was being verified.
        const unchanged = await this.credentials.lockIfUnchanged(tx, credential);
        if (!unchanged) throw new DomainError('INVALID_CREDENTIALS');
        return this.signIns.completeFirstStep(tx, accountId, client);
      },
      // The inbox stores ids instead of tokens. A repeated request gets new tokens.
      this.signIns,
    );
    await this.passwords.rehashIfOutdated(credential, password, ipAddress);
    const grant = this.signIns.requireGrant(firstStep);
    const { sessionId } = grant;
    this.logger.info({ accountId, sessionId, address: ipAddress }, 'Signed in with a password');
    return this.sessions.answerFor(grant);
  }
}
