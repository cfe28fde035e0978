import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Client, type Credentials, DomainError, type SignedIn } from '#libs/contracts';
import { Inbox, uuidv7 } from '#libs/database';
import { clientNetwork } from '#libs/platform';
import { Clock } from '../clock.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordService } from '../credential/password.service.js';
import { PasswordHasher } from '../credential/password-hasher.js';
import { PasswordPolicy } from '../credential/password-policy.js';
import { type Entry, SignInService, type StoredEntry } from './sign-in.service.js';
import { SessionService } from '../session/session.service.js';
import { VerificationService } from '../verification/verification.service.js';
import { AccountEntity } from '../account/account.entity.js';
import { normalizeEmail } from '../account/email.js';

/** Registering and signing in with e-mail and password. */
@Injectable()
export class AccountService {
  private readonly logger = new Logger(AccountService.name);

  constructor(
    private readonly inbox: Inbox,
    private readonly sessions: SessionService,
    private readonly credentials: CredentialRepository,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicy,
    private readonly passwords: PasswordService,
    private readonly verification: VerificationService,
    private readonly pending: SignInService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an account whose address is not verified yet, and signs it in.
   * Throws INVALID_INPUT, WEAK_PASSWORD, EMAIL_TAKEN, OVERLOADED.
   */
  async register({ email, password }: Credentials, client: Client, requestId: string): Promise<SignedIn> {
    await this.policy.check(password, email);
    const network = clientNetwork(client.address);
    const key = { requestId, fingerprint: fingerprintOf('register', normalizeEmail(email)) };
    // While Postgres is gone this fails, again and again, before anything is hashed.
    await this.inbox.replyTo(key);
    const passwordHash = await this.hasher.hash(password, network);
    const grant = await this.inbox.once(
      key,
      async (tx) => {
        const accountId = await this.create(tx, { email, emailVerified: false });
        if (!accountId) throw emailTaken();
        await this.credentials.set(tx, accountId, passwordHash);
        await this.verification.begin(tx, accountId, email);
        return this.sessions.open(tx, accountId, client);
      },
      {
        store: ({ account, sessionId }) => ({ accountId: account.id, sessionId }),
        restore: async ({ accountId, sessionId }, tx) => {
          // The fingerprint leaves the password out; without it nobody gets the tokens.
          const stored = await this.credentials.hashOf(tx, accountId);
          if (!(await this.hasher.verify(stored, password, network)))
            throw new DomainError('IDEMPOTENCY_KEY_REUSED');
          return this.sessions.grant(tx, sessionId);
        },
      },
    );
    return this.sessions.signedIn(grant);
  }

  /**
   * Signs in. An unknown address costs the same work, and gets the same answer, as a wrong password.
   * Throws INVALID_CREDENTIALS, SECOND_FACTOR_REQUIRED, RATE_LIMITED, OVERLOADED.
   */
  async login({ email, password }: Credentials, client: Client, requestId: string): Promise<SignedIn> {
    const emailNormalized = normalizeEmail(email);
    const credential = await this.credentials.find(emailNormalized);
    const where: [string, string] = [emailNormalized, client.address];
    const matches = await this.passwords.matches(credential?.passwordHash ?? null, password, where);
    if (!credential || !matches) {
      // The address itself is not logged: people type passwords into the wrong field.
      this.logger.warn(`Failed sign-in to ${credential?.accountId ?? 'no account'} from ${client.address}`);
      throw new DomainError('INVALID_CREDENTIALS');
    }

    const { accountId } = credential;
    const entry = await this.inbox.once<Entry, StoredEntry>(
      { requestId, fingerprint: fingerprintOf('login', accountId) },
      async (tx) => {
        // A password replaced while its predecessor was being verified has ended all sessions: start none.
        const unchanged = await this.credentials.lockIfUnchanged(tx, credential);
        if (!unchanged) throw new DomainError('INVALID_CREDENTIALS');
        return this.pending.enter(tx, accountId, client);
      },
      {
        store: (made) => this.pending.store(made),
        restore: (stored, tx) => this.pending.restore(stored, tx),
      },
    );
    await this.credentials.renewIfOutdated(credential, password, client.address);
    const grant = this.pending.admit(entry);
    this.logger.log(`Sign-in to ${accountId} from ${client.address}, session ${grant.sessionId}`);
    return this.sessions.signedIn(grant);
  }

  /** The new account's id, or null if the address has an account, in whatever letter case. */
  async create(
    tx: EntityManager,
    { email, emailVerified }: { email: string; emailVerified: boolean },
  ): Promise<string | null> {
    const id = uuidv7();
    const inserted = await tx
      .createQueryBuilder()
      .insert()
      .into(AccountEntity)
      .values({
        id,
        email,
        emailNormalized: normalizeEmail(email),
        emailVerified,
        name: null,
        createdAt: this.clock.now(),
      })
      .orIgnore()
      .returning('id')
      .execute();
    return (inserted.raw as unknown[]).length > 0 ? id : null;
  }
}

function emailTaken(): DomainError {
  const { message } = new DomainError('EMAIL_TAKEN');
  return new DomainError('EMAIL_TAKEN', { fields: [{ field: 'email', message }] });
}

/** What makes two requests of one id the same command, without anything a password could be guessed from. */
function fingerprintOf(command: string, who: string): string {
  return createHash('sha256')
    .update(JSON.stringify([command, who]))
    .digest('hex');
}
