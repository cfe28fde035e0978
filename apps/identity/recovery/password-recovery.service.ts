import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { broadcasts } from '#libs/contracts';
import { Inbox } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { AccountMailService } from '../core/account-mail.service.js';
import { AccountEntity } from '../account/account.entity.js';
import { normalizeEmail } from '../account/email.js';
import { takeOver } from '../reclaim/take-over.js';
import { AdminUserService } from '../admin-user/admin-user.service.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { Clock } from '../clock.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordHasher } from '../credential/password-hasher.js';
import { PasswordPolicy } from '../credential/password-policy.js';
import { SignInThrottle } from '../credential/sign-in-throttle.js';
import type { AccountLinkEntity } from '../link/account-link.entity.js';
import { AccountLinkService, linkExpired } from '../link/account-link.service.js';
import { endSessionsOf } from '../session/end-sessions.js';

/** A new password by a link from a mail. */
@Injectable()
export class PasswordRecoveryService {
  private readonly logger = new Logger(PasswordRecoveryService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly links: AccountLinkService,
    private readonly mail: AccountMailService,
    private readonly adminUsers: AdminUserService,
    private readonly credentials: CredentialRepository,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicy,
    private readonly throttle: SignInThrottle,
    private readonly announcer: BroadcastService,
    private readonly clock: Clock,
  ) {}

  /**
   * Sets the password and ends every session. Whoever follows the link has the mailbox, so the address counts as proved; and if it never was
   * before, whoever registered it first keeps nothing (`takeOver`). Throws LINK_EXPIRED, INVALID_INPUT, WEAK_PASSWORD, OVERLOADED.
   */
  async reset(token: string, password: string, context: RequestContext): Promise<{ email: string }> {
    const before = await this.inbox.replyTo<{ email: string }>(context);
    if (before) return { email: before.email };
    const { email, accountId } = await this.dataSource.transaction((tx) => this.usable(tx, token));
    await this.policy.check(password, email);
    const passwordHash = await this.hasher.hash(password, accountId);
    const done = await this.inbox.once(context, async (tx) => {
      // Whoever proves an address may become an admin by it.
      await this.adminUsers.lock(tx);
      const link = await this.usable(tx, token);
      const account = await tx.findOne(AccountEntity, {
        where: { id: link.accountId, emailNormalized: normalizeEmail(link.email) },
        lock: { mode: 'for_no_key_update' },
      });
      if (!account) throw linkExpired();
      const { id } = account;
      const now = this.clock.now();
      const takenOver = account.emailVerified ? [] : await takeOver(tx, id, now);
      await tx.update(AccountEntity, id, { emailVerified: true });
      await this.credentials.set(tx, id, passwordHash);
      // The others that were asked for, and a change of address that somebody with the old password began.
      await this.links.revoke(tx, id, ['reset-password', 'change-email']);
      const ended = [...takenOver, ...(await endSessionsOf(tx, id, 'password-reset', now))];
      await this.throttle.forget(tx, account.emailNormalized);
      await this.mail.send(tx, account.email, 'passwordChanged', {});
      return { accountId: id, email: account.email, ended };
    });
    this.logger.log(`The password of ${done.accountId} was replaced by a link from a mail`);
    if (done.ended.length > 0) {
      await this.announcer.tell(broadcasts.sessionsEnded, { sessionIds: done.ended });
    }
    return { email: done.email };
  }

  private async usable(tx: EntityManager, token: string): Promise<AccountLinkEntity> {
    const link = await this.links.find(tx, token, ['reset-password']);
    if (link.usedAt) throw linkExpired();
    return link;
  }
}
