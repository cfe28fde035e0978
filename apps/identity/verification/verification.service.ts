import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { broadcasts, DomainError, maskedEmail } from '#libs/contracts';
import { Inbox, isUniqueViolation } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { AccountMailService } from '../core/account-mail.service.js';
import { AccountEntity } from '../account/account.entity.js';
import { normalizeEmail } from '../account/email.js';
import { lockAccount } from '../account/lock-account.js';
import { AdminUserService } from '../admin-user/admin-user.service.js';
import { BroadcastService } from '../core/broadcast.service.js';
import type { AccountLinkEntity } from '../link/account-link.entity.js';
import { AccountLinkService, linkExpired } from '../link/account-link.service.js';

/** Proving that an address is one's own: the one an account was registered with, or the one it is to have. */
@Injectable()
export class VerificationService {
  private readonly logger = new Logger(VerificationService.name);

  constructor(
    private readonly inbox: Inbox,
    private readonly links: AccountLinkService,
    private readonly mail: AccountMailService,
    private readonly adminUsers: AdminUserService,
    private readonly announcer: BroadcastService,
  ) {}

  /** The mail that a new account causes, in its transaction; none while its mailbox has had too many, for other accounts or other reasons. */
  async begin(tx: EntityManager, id: string, email: string): Promise<void> {
    const account = { id, email, emailVerified: false };
    const request = { account, purpose: 'verify-email', email } as const;
    const issued = await this.links.issueIfPermitted(tx, request, { pause: false });
    if ('link' in issued) await this.mail.send(tx, email, 'verifyEmail', issued);
  }

  /** Mails another link, unless the address is verified. Throws RATE_LIMITED. */
  resend(context: RequestContext): Promise<{ sent: boolean }> {
    return this.inbox.once(context, async (tx) => {
      const account = await lockAccount(tx, context.actor);
      if (account.emailVerified) return { sent: false };
      const { email } = account;
      const issued = await this.links.issue(tx, { account, purpose: 'verify-email', email });
      await this.mail.send(tx, email, 'verifyEmail', issued);
      return { sent: true };
    });
  }

  /**
   * Takes the link from a mail. A link that was used already is answered once more as long as what it did holds: a person's second click
   * is no error. Throws LINK_EXPIRED, EMAIL_TAKEN.
   */
  async verify(token: string, context: RequestContext): Promise<{ email: string }> {
    const done = await this.inbox.once(context, async (tx) => {
      // Whoever proves an address may become an admin by it, or take an admin's entry along.
      await this.adminUsers.lock(tx);
      const link = await this.links.find(tx, token, ['verify-email', 'change-email']);
      const account = await tx.findOne(AccountEntity, {
        where: { id: link.accountId },
        lock: { mode: 'for_no_key_update' },
      });
      if (!account) throw linkExpired();
      const holds = account.emailNormalized === normalizeEmail(link.email);
      if (link.usedAt) {
        if (holds && account.emailVerified) return { email: account.email, changed: false };
        throw linkExpired();
      }
      await this.links.use(tx, link);
      if (link.purpose === 'change-email') await this.change(tx, account, link);
      else if (holds) await tx.update(AccountEntity, account.id, { emailVerified: true });
      else throw linkExpired();
      this.logger.log(`${account.id} has proved its address (${link.purpose})`);
      return { email: link.email, changed: true };
    });
    if (done.changed) await this.announcer.tell(broadcasts.adminsChanged, {});
    return { email: done.email };
  }

  private async change(
    tx: EntityManager,
    account: AccountEntity,
    { email }: AccountLinkEntity,
  ): Promise<void> {
    const emailNormalized = normalizeEmail(email);
    const holder = await tx.findOneBy(AccountEntity, { emailNormalized });
    if (holder && holder.id !== account.id) throw new DomainError('EMAIL_TAKEN');
    await this.adminUsers.carryAlong(tx, account, email);
    await tx
      .update(AccountEntity, account.id, { email, emailNormalized, emailVerified: true })
      // Somebody registered with it since we looked.
      .catch((error: unknown) => {
        throw isUniqueViolation(error, 'accounts_email_unique') ? new DomainError('EMAIL_TAKEN') : error;
      });
    // What was sent to the address before gives nobody a way in any more.
    await this.links.revoke(tx, account.id, ['verify-email', 'reset-password', 'change-email']);
    await this.mail.tell(tx, account, 'emailChanged', { newEmailMasked: maskedEmail(email) });
  }
}
