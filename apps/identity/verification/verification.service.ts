import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { accountContract, broadcasts, DomainError, maskedEmail } from '#libs/contracts';
import { Inbox } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Handles, type RequestContext } from '#libs/transport';
import type { AccountEntity } from '../account/account.entity.js';
import { AccountRepository } from '../account/account.repository.js';
import { normalizeEmail } from '../account/email.js';
import { AdminUserService } from '../admin-user/admin-user.service.js';
import { AccountMailService } from '../core/account-mail.service.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { MailedLinkService, linkExpired } from '../link/mailed-link.service.js';

@Injectable()
export class VerificationService {
  constructor(
    private readonly inbox: Inbox,
    private readonly accounts: AccountRepository,
    private readonly links: MailedLinkService,
    private readonly mail: AccountMailService,
    private readonly adminUsers: AdminUserService,
    private readonly broadcaster: BroadcastService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Sends nothing if the mailbox has had too many mails, including those for other accounts. */
  async sendIfPermitted(tx: EntityManager, accountId: string, email: string): Promise<void> {
    const account = { id: accountId, email, emailVerified: false };
    const request = { account, purpose: 'verify-email', email } as const;
    const issued = await this.links.issueIfPermitted(tx, request, { withPause: false });
    if ('link' in issued) await this.mail.send(tx, email, 'verifyEmail', issued);
  }

  @Handles(accountContract.resendVerification)
  resend(_: object, context: RequestContext): Promise<{ sent: boolean }> {
    return this.inbox.once(context, async (tx) => {
      const account = await this.accounts.lockOwn(tx, context.actor);
      if (account.emailVerified) return { sent: false };
      const { email } = account;
      const issued = await this.links.issue(tx, { account, purpose: 'verify-email', email });
      await this.mail.send(tx, email, 'verifyEmail', issued);
      return { sent: true };
    });
  }

  /** A used link succeeds again as long as its effect lasts: a second click is no error. */
  @Handles(accountContract.verifyEmail)
  async verify({ token }: { token: string }, context: RequestContext): Promise<{ email: string }> {
    const { email, changed } = await this.inbox.once(context, async (tx) => {
      // Verifying an address may make somebody an admin, or change an address on the list of admins.
      await this.adminUsers.lock(tx);
      const link = await this.links.lock(tx, token, ['verify-email', 'change-email']);
      const account = await this.accounts.lock(tx, { id: link.accountId });
      if (!account) throw linkExpired();
      const isCurrent = account.emailNormalized === normalizeEmail(link.email);
      if (link.usedAt) {
        if (isCurrent && account.emailVerified) return { email: account.email, changed: false };
        throw linkExpired();
      }
      await this.links.markUsed(tx, link);
      if (link.purpose === 'change-email') await this.changeEmail(tx, account, link.email);
      else if (isCurrent) await this.accounts.markVerified(tx, account.id);
      else throw linkExpired();
      this.logger.info({ accountId: account.id, purpose: link.purpose }, 'Address verified');
      return { email: link.email, changed: true };
    });
    if (changed) await this.broadcaster.publish(broadcasts.adminsChanged, {});
    return { email };
  }

  private async changeEmail(tx: EntityManager, account: AccountEntity, email: string): Promise<void> {
    const holder = await this.accounts.findByEmail(tx, email);
    if (holder && holder.id !== account.id) throw new DomainError('EMAIL_TAKEN');
    await this.adminUsers.moveEntry(tx, account, email);
    await this.accounts.changeEmail(tx, account.id, email);
    // Links that were sent to the former address must no longer give access to the account.
    await this.links.revokeAll(tx, account.id);
    // If only the letter case is new, the former address still signs in.
    if (normalizeEmail(email) !== account.emailNormalized)
      await this.mail.sendIfVerified(tx, account, 'emailChanged', { newEmailMasked: maskedEmail(email) });
  }
}
