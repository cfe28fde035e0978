import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { accountContract, type HandlerInputs } from '#libs/contracts';
import { Inbox } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Handles, type RequestContext } from '#libs/transport';
import { AccountRepository } from '../account/account.repository.js';
import { normalizeEmail } from '../account/email.js';
import { AdminUserService } from '../admin-user/admin-user.service.js';
import { AccountMailService } from '../core/account-mail.service.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordService } from '../credential/password.service.js';
import { SignInAttemptRepository } from '../credential/sign-in-attempt.repository.js';
import type { MailedLinkEntity } from '../link/mailed-link.entity.js';
import { MailedLinkService, linkExpired } from '../link/mailed-link.service.js';
import { AccountReclaimService } from '../reclaim/account-reclaim.service.js';
import { SessionService } from '../session/session.service.js';

type Input = HandlerInputs<typeof accountContract>;

@Injectable()
export class PasswordRecoveryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly accounts: AccountRepository,
    private readonly links: MailedLinkService,
    private readonly mail: AccountMailService,
    private readonly adminUsers: AdminUserService,
    private readonly credentials: CredentialRepository,
    private readonly passwords: PasswordService,
    private readonly attempts: SignInAttemptRepository,
    private readonly reclaims: AccountReclaimService,
    private readonly sessions: SessionService,
    private readonly broadcaster: BroadcastService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Ends every session. Following the link proves the address; if it was not verified before, the account is reclaimed. */
  @Handles(accountContract.resetPassword)
  async reset({ token, password }: Input['resetPassword'], context: RequestContext) {
    const storedReply = await this.inbox.findReply<{ email: string }>(context);
    if (storedReply) return { email: storedReply.email };
    // Checked before the password is hashed, which is slow, and again below.
    const { email, accountId } = await this.dataSource.transaction((tx) => this.lockUnused(tx, token));
    const passwordHash = await this.passwords.hashNew(password, email, accountId);
    const result = await this.inbox.once(context, async (tx) => {
      // Comes first, because the reset may verify an address, and a verified address may make somebody an admin.
      await this.adminUsers.lock(tx);
      const link = await this.lockUnused(tx, token);
      const emailNormalized = normalizeEmail(link.email);
      const account = await this.accounts.lock(tx, { id: link.accountId, emailNormalized });
      if (!account) throw linkExpired();
      const { id } = account;
      const endedByReclaim = account.emailVerified ? [] : await this.reclaims.reclaim(tx, id);
      await this.credentials.set(tx, id, passwordHash);
      // Uses up this link, and revokes others that somebody with the former password may have requested.
      await this.links.revoke(tx, id, ['reset-password', 'change-email']);
      const endedByReset = await this.sessions.endAll(tx, id, 'password-reset');
      await this.attempts.resetEverywhere(tx, emailNormalized);
      await this.mail.send(tx, account.email, 'passwordChanged', {});
      return { accountId: id, email: account.email, ended: [...endedByReclaim, ...endedByReset] };
    });
    this.logger.info({ accountId: result.accountId }, 'Password reset with a mailed link');
    await this.broadcaster.publishEndedSessions(result.ended);
    return { email: result.email };
  }

  private async lockUnused(tx: EntityManager, token: string): Promise<MailedLinkEntity> {
    const link = await this.links.lock(tx, token, ['reset-password']);
    if (link.usedAt) throw linkExpired();
    return link;
  }
}
