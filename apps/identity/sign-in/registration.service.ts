import { Injectable } from '@nestjs/common';
import { DomainError, type HandlerInputs, identityContract, type SignedIn } from '#libs/contracts';
import { Inbox } from '#libs/database';
import { clientNetwork } from '#libs/platform';
import { Handles, type RequestContext } from '#libs/transport';
import { AccountRepository } from '../account/account.repository.js';
import { normalizeEmail } from '../account/email.js';
import { fieldError } from '../core/field-error.js';
import { fingerprintOf } from '../core/fingerprint.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordHasher } from '../credential/password-hasher.js';
import { PasswordPolicy } from '../credential/password-policy.js';
import { SessionService } from '../session/session.service.js';
import { VerificationService } from '../verification/verification.service.js';

type Input = HandlerInputs<typeof identityContract>;

@Injectable()
export class RegistrationService {
  constructor(
    private readonly inbox: Inbox,
    private readonly accounts: AccountRepository,
    private readonly credentials: CredentialRepository,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicy,
    private readonly verification: VerificationService,
    private readonly sessions: SessionService,
  ) {}

  @Handles(identityContract.register)
  async register(
    { credentials: { email, password }, client }: Input['register'],
    { requestId }: RequestContext,
  ): Promise<SignedIn> {
    await this.policy.check(password, email);
    const requester = clientNetwork(client.address);
    const key = { requestId, fingerprint: fingerprintOf('register', normalizeEmail(email)) };
    // Fails early if Postgres is unreachable: otherwise each retry would hash the password for nothing.
    await this.inbox.findReply(key);
    const passwordHash = await this.hasher.hash(password, requester);
    const grant = await this.inbox.once(
      key,
      async (tx) => {
        const accountId = await this.accounts.createIfMissing(tx, { email, emailVerified: false });
        if (!accountId) throw fieldError('EMAIL_TAKEN', 'email');
        await this.credentials.set(tx, accountId, passwordHash);
        await this.verification.sendIfPermitted(tx, accountId, email);
        return this.sessions.open(tx, accountId, client);
      },
      {
        toStored: ({ account, sessionId }) => ({ accountId: account.id, sessionId }),
        restore: async ({ accountId, sessionId }, tx) => {
          // The fingerprint leaves out the password, so the password is checked here before anybody gets tokens.
          const hash = await this.credentials.findHash(tx, accountId);
          if (!(await this.hasher.verify(hash, password, requester)))
            throw new DomainError('IDEMPOTENCY_KEY_REUSED');
          return this.sessions.issueGrant(tx, sessionId);
        },
      },
    );
    return this.sessions.answerFor(grant);
  }
}
