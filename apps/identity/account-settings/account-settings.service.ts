import { Injectable, Logger } from '@nestjs/common';
import {
  accountDeleted,
  broadcasts,
  DomainError,
  type HandlerInput,
  type accountContract,
} from '#libs/contracts';
import { Inbox, Outbox } from '#libs/database';
import { clientNetwork } from '#libs/platform';
import type { RequestContext } from '#libs/transport';
import { AccountMailService } from '../core/account-mail.service.js';
import { AdminUserService } from '../admin-user/admin-user.service.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { Clock } from '../clock.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordHasher } from '../credential/password-hasher.js';
import { PasswordPolicy } from '../credential/password-policy.js';
import { SignInThrottle } from '../credential/sign-in-throttle.js';
import { AccountLinkService } from '../link/account-link.service.js';
import { OwnershipService } from '../reauthentication/ownership.service.js';
import { endSessionsOf } from '../session/end-sessions.js';
import { AccountEntity } from '../account/account.entity.js';
import { normalizeEmail } from '../account/email.js';

/** What people change about their own account. Each asks them to prove, there and then, that it is theirs. */
@Injectable()
export class AccountSettingsService {
  private readonly logger = new Logger(AccountSettingsService.name);

  constructor(
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
    private readonly ownership: OwnershipService,
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

  /** Sets the password and ends every session but the caller's. Throws as the contract says. */
  async changePassword(
    { currentPassword, password, client }: HandlerInput<typeof accountContract.changePassword>,
    context: RequestContext,
  ): Promise<{ endedSessions: number }> {
    const { actor } = context;
    // Asked again, the present password would be the new one.
    const before = await this.inbox.replyTo<{ ended: string[] }>(context);
    if (before) return { endedSessions: before.ended.length };
    const owner = await this.ownership.prove(actor, currentPassword, client);
    await this.policy.check(password, 'email' in actor ? actor.email : '');
    const passwordHash = await this.hasher.hash(password, clientNetwork(client.address));
    const { ended } = await this.inbox.once(context, async (tx) => {
      const account = await this.ownership.claim(tx, owner, actor);
      await this.credentials.set(tx, account.id, passwordHash);
      // Links that were asked for before belong to a time when the password was another.
      await this.links.revoke(tx, account.id, ['reset-password', 'change-email']);
      const others = await endSessionsOf(
        tx,
        account.id,
        'password-changed',
        this.clock.now(),
        owner.sessionId,
      );
      await this.mail.tell(tx, account, 'passwordChanged', {});
      return { ended: others };
    });
    this.logger.log(`${owner.accountId} has changed its password`);
    if (ended.length > 0) await this.announcer.tell(broadcasts.sessionsEnded, { sessionIds: ended });
    return { endedSessions: ended.length };
  }

  /**
   * Mails a link to the new address; until it is followed nothing changes. An address that another account has gets no mail, and the
   * caller the same answer: who has an account is nobody else's business. Throws as the contract says.
   */
  async changeEmail(
    { email, currentPassword, client }: HandlerInput<typeof accountContract.changeEmail>,
    context: RequestContext,
  ): Promise<{ accepted: true }> {
    const { actor } = context;
    const owner = await this.ownership.prove(actor, currentPassword, client);
    return this.inbox.once(context, async (tx) => {
      const account = await this.ownership.claim(tx, owner, actor);
      if (email === account.email) {
        throw DomainError.invalid([{ field: 'email', message: 'This is already your e-mail address' }]);
      }
      await this.links.revoke(tx, account.id, ['change-email']);
      const issued = await this.links.issue(tx, { account, purpose: 'change-email', email });
      const holder = await tx.findOneBy(AccountEntity, { emailNormalized: normalizeEmail(email) });
      if (!holder || holder.id === account.id) {
        await this.mail.send(tx, email, 'changeEmail', issued);
      }
      return { accepted: true as const };
    });
  }

  /** Deletes the account with all that identity knows of it, and tells the others to. Throws as the contract says. */
  async delete(
    { currentPassword, client }: HandlerInput<typeof accountContract.deleteAccount>,
    context: RequestContext,
  ): Promise<{ deleted: true }> {
    const { actor } = context;
    // Asked again, there is no account that could prove anything.
    const before = await this.inbox.replyTo<{ deleted: true }>(context);
    if (before) return before;
    const owner = await this.ownership.prove(actor, currentPassword, client);
    const reply = await this.inbox.once(context, async (tx) => {
      await this.adminUsers.lock(tx);
      const account = await this.ownership.claim(tx, owner, actor);
      const { id: accountId, email, emailVerified, emailNormalized } = account;
      await this.adminUsers.leave(tx, account);
      await this.throttle.forget(tx, emailNormalized);
      // With its password, sessions, links and devices.
      await tx.delete(AccountEntity, accountId);
      await this.mail.tell(tx, account, 'accountDeleted', {});
      await this.outbox.append(tx, accountDeleted, { accountId, email: emailVerified ? email : null });
      return { deleted: true as const };
    });
    this.logger.log(`${owner.accountId} has deleted its account`);
    await this.announcer.tell(broadcasts.sessionsEnded, { accountId: owner.accountId });
    return reply;
  }
}
