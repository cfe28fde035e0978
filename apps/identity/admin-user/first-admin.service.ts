import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { broadcasts, DomainError, type ErrorDetails } from '#libs/contracts';
import { transaction } from '#libs/database';
import { AccountEntity } from '../account/account.entity.js';
import { AccountService } from '../sign-in/password-sign-in.service.js';
import { normalizeEmail } from '../account/email.js';
import { takeOver } from '../reclaim/take-over.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { Clock } from '../clock.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordHasher } from '../credential/password-hasher.js';
import { PasswordPolicy } from '../credential/password-policy.js';
import { SiteNameService } from '../credential/site-name.service.js';
import { AdminUserEntity } from './admin-user.entity.js';
import { AdminUserService } from './admin-user.service.js';

/** `ADMIN_EMAIL` and `ADMIN_PASSWORD`. */
export class FirstAdminConfig {
  constructor(
    readonly email: string | undefined,
    readonly password: string | undefined,
  ) {}
}

/**
 * On start, makes the configured person an admin if nobody is one. Whoever runs the service is taken to own that
 * address. Several replicas may start at once; once there is an admin the settings have no effect.
 */
@Injectable()
export class FirstAdminService implements OnApplicationBootstrap {
  private readonly logger = new Logger(FirstAdminService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: AccountService,
    private readonly adminUsers: AdminUserService,
    private readonly credentials: CredentialRepository,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicy,
    private readonly siteNames: SiteNameService,
    private readonly announcer: BroadcastService,
    private readonly clock: Clock,
    private readonly config: FirstAdminConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if ((await this.adminUsers.count(this.dataSource.manager)) > 0) return;
    const { email, password } = this.config;
    if (!email) {
      this.logger.warn('Nobody is an admin, and nobody can become one: set ADMIN_EMAIL and ADMIN_PASSWORD.');
      return;
    }
    if (password !== undefined) await this.refuseWeak(password, email);
    // Hashed before the lock is taken; of several replicas one needs it.
    const passwordHash = password === undefined ? null : await this.hasher.hash(password, 'first admin');
    const endedSessions = await transaction(this.dataSource, async (tx) => {
      await this.adminUsers.lock(tx);
      if ((await this.adminUsers.count(tx)) > 0) return [];
      const ended = await this.establishAccount(tx, email, passwordHash);
      const listed = await tx.existsBy(AdminUserEntity, { emailNormalized: normalizeEmail(email) });
      if (!listed) await this.adminUsers.insert(tx, email, null);
      this.logger.log(`${email} is the first admin`);
      return ended;
    });
    if (endedSessions.length > 0) {
      await this.announcer.tell(broadcasts.sessionsEnded, { sessionIds: endedSessions });
    }
  }

  /** The process stops, and names the setting. Only the host's names are asked for: content may not be running yet. */
  private async refuseWeak(password: string, email: string): Promise<void> {
    try {
      await this.policy.check(password, email, this.siteNames.ofHost);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { fields } = error.details as ErrorDetails;
      throw new Error(`ADMIN_PASSWORD: ${fields?.[0]?.message ?? error.message}`, { cause: error });
    }
  }

  /**
   * Makes sure of a verified account with this address. A verified one keeps its password. One that never proved
   * the address was registered by anybody: it gets the configured password and loses its sessions, whose ids are
   * returned.
   */
  private async establishAccount(
    tx: EntityManager,
    email: string,
    passwordHash: string | null,
  ): Promise<string[]> {
    const created = await this.accounts.create(tx, { email, emailVerified: true });
    const { id, emailVerified } = created
      ? { id: created, emailVerified: false }
      : await tx.findOneByOrFail(AccountEntity, { emailNormalized: normalizeEmail(email) });
    if (emailVerified) return [];
    if (passwordHash === null) {
      throw new Error(`There is no admin yet: set ADMIN_PASSWORD to the first password of ${email}.`);
    }
    const ended = await takeOver(tx, id, this.clock.now());
    await this.credentials.set(tx, id, passwordHash);
    await tx.update(AccountEntity, id, { emailVerified: true });
    return ended;
  }
}
