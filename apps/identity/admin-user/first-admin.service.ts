import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError, type ErrorDetails } from '#libs/contracts';
import { transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { AccountRepository } from '../account/account.repository.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordHasher } from '../credential/password-hasher.js';
import { PasswordPolicy } from '../credential/password-policy.js';
import { SiteNameService } from '../credential/site-name.service.js';
import { AccountReclaimService } from '../reclaim/account-reclaim.service.js';
import { AdminUserService } from './admin-user.service.js';

/**
 * On start, if the site has no admin, makes the account of `ADMIN_EMAIL` an admin. Creates the account if it does not exist. The operator is trusted
 * to own that address, so it counts as verified. If several replicas start at the same time, only one of them does this.
 */
@Injectable()
export class FirstAdminService implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: AccountRepository,
    private readonly adminUsers: AdminUserService,
    private readonly credentials: CredentialRepository,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicy,
    private readonly siteNames: SiteNameService,
    private readonly reclaims: AccountReclaimService,
    private readonly broadcaster: BroadcastService,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if ((await this.accounts.countAdmins(this.dataSource.manager)) > 0) return;
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = this.config;
    if (!email) {
      this.logger.warn('There is no admin. Set ADMIN_EMAIL and ADMIN_PASSWORD to create one.');
      return;
    }
    if (password !== undefined) await this.checkPassword(password, email);
    // Hashed before the lock is taken, because hashing is slow.
    const passwordHash = password === undefined ? null : await this.hasher.hash(password, 'first admin');
    const endedSessions = await transaction(this.dataSource, async (tx) => {
      await this.adminUsers.lock(tx);
      if ((await this.accounts.countAdmins(tx)) > 0) return [];
      const ended = await this.establishAccount(tx, email, passwordHash);
      if (!(await this.adminUsers.isListed(tx, email))) await this.adminUsers.insert(tx, email, null);
      this.logger.info({ email }, 'The first admin is set up');
      return ended;
    });
    await this.broadcaster.publishEndedSessions(endedSessions);
  }

  /**
   * For a password that is not allowed, throws an error that names the setting. The error stops the process. The password is compared with the
   * site's host names but not with its name: the content service, which knows the name, may not be running yet.
   */
  private async checkPassword(password: string, email: string): Promise<void> {
    try {
      await this.policy.check(password, email, this.siteNames.hostNames);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { fields } = error.details as ErrorDetails;
      throw new Error(`ADMIN_PASSWORD: ${fields?.[0]?.message ?? error.message}`, { cause: error });
    }
  }

  /**
   * A verified account keeps its password. Anybody may have registered an unverified one, so it is reclaimed and gets the configured password.
   * Returns the ids of the sessions that this ended.
   */
  private async establishAccount(
    tx: EntityManager,
    email: string,
    passwordHash: string | null,
  ): Promise<string[]> {
    await this.accounts.createIfMissing(tx, { email, emailVerified: false });
    const account = await this.accounts.findByEmail(tx, email);
    if (!account || account.emailVerified) return [];
    if (passwordHash === null) {
      throw new Error(`There is no admin yet: choose a password for ${email}, and set ADMIN_PASSWORD to it.`);
    }
    const ended = await this.reclaims.reclaim(tx, account.id);
    await this.credentials.set(tx, account.id, passwordHash);
    return ended;
  }
}
