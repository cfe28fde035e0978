import { Inject, Injectable } from '@nestjs/common';
import {
  accountContract,
  accountDeleted,
  broadcasts,
  DomainError,
  type HandlerInputs,
} from '#libs/contracts';
import { Inbox, Outbox } from '#libs/database';
import { clientNetwork, LOGGER, type Logger } from '#libs/platform';
import { Handles, type RequestContext } from '#libs/transport';
import { AccountRepository } from '../account/account.repository.js';
import { personOf } from '../account/person.js';
import { AdminUserService } from '../admin-user/admin-user.service.js';
import { AccountMailService } from '../core/account-mail.service.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordService } from '../credential/password.service.js';
import { SignInAttemptRepository } from '../credential/sign-in-attempt.repository.js';
import { MailedLinkService } from '../link/mailed-link.service.js';
import { OwnershipService } from '../reauthentication/ownership.service.js';
import { SessionService } from '../session/session.service.js';

type Input = HandlerInputs<typeof accountContract>;

/** What people change about their own account, each time with a proof of ownership. See `accountContract` for the errors. */
@Injectable()
export class AccountSettingsService {
  constructor(
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
    private readonly accounts: AccountRepository,
    private readonly ownership: OwnershipService,
    private readonly links: MailedLinkService,
    private readonly mail: AccountMailService,
    private readonly adminUsers: AdminUserService,
    private readonly credentials: CredentialRepository,
    private readonly passwords: PasswordService,
    private readonly attempts: SignInAttemptRepository,
    private readonly sessions: SessionService,
    private readonly broadcaster: BroadcastService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Ends every session but the caller's. */
  @Handles(accountContract.changePassword)
  async changePassword(
    { currentPassword, password, client }: Input['changePassword'],
    context: RequestContext,
  ): Promise<{ endedSessions: number }> {
    const { actor } = context;
    // In a repeated request, the password has already been changed, and `currentPassword` would be refused.
    const storedReply = await this.inbox.findReply<{ ended: string[] }>(context);
    if (storedReply) return { endedSessions: storedReply.ended.length };
    const proof = await this.ownership.prove(actor, currentPassword, client);
    const { email } = personOf(actor);
    const passwordHash = await this.passwords.hashNew(password, email, clientNetwork(client.address));
    const { ended } = await this.inbox.once(context, async (tx) => {
      const account = await this.ownership.lockAccountIfPasswordUnchanged(tx, proof, actor);
      await this.credentials.set(tx, account.id, passwordHash);
      // Links of these two kinds that were requested before the change must not work after it.
      await this.links.revoke(tx, account.id, ['reset-password', 'change-email']);
      const others = await this.sessions.endAll(tx, account.id, 'password-changed', proof.sessionId);
      await this.mail.sendIfVerified(tx, account, 'passwordChanged', {});
      return { ended: others };
    });
    this.logger.info({ accountId: proof.accountId }, 'Password changed');
    await this.broadcaster.publishEndedSessions(ended);
    return { endedSessions: ended.length };
  }

  /**
   * Mails a link to the new address; the address changes when the link is used. If another account has the address, no mail is sent. The answer is
   * the same, so that nobody learns who has an account.
   */
  @Handles(accountContract.changeEmail)
  async requestEmailChange(
    { email, currentPassword, client }: Input['changeEmail'],
    context: RequestContext,
  ) {
    const { actor } = context;
    const proof = await this.ownership.prove(actor, currentPassword, client);
    return this.inbox.once(context, async (tx) => {
      const account = await this.ownership.lockAccountIfPasswordUnchanged(tx, proof, actor);
      if (email === account.email) {
        throw DomainError.invalid([{ field: 'email', message: 'This is already your e-mail address' }]);
      }
      await this.links.revoke(tx, account.id, ['change-email']);
      const issued = await this.links.issue(tx, { account, purpose: 'change-email', email });
      const holder = await this.accounts.findByEmail(tx, email);
      if (!holder || holder.id === account.id) await this.mail.send(tx, email, 'changeEmail', issued);
      return { accepted: true as const };
    });
  }

  /** The audit log, the history of the list of admins, the counts for mail limits, and an invitation to a customer's address stay. */
  @Handles(accountContract.deleteAccount)
  async deleteAccount({ currentPassword, client }: Input['deleteAccount'], context: RequestContext) {
    const { actor } = context;
    // In a repeated request, the account has already been deleted, and its password cannot be checked.
    const storedReply = await this.inbox.findReply<{ deleted: true }>(context);
    if (storedReply) return storedReply;
    const proof = await this.ownership.prove(actor, currentPassword, client);
    const reply = await this.inbox.once(context, async (tx) => {
      await this.adminUsers.lock(tx);
      const account = await this.ownership.lockAccountIfPasswordUnchanged(tx, proof, actor);
      const { id: accountId, email, emailVerified, emailNormalized } = account;
      await this.adminUsers.removeEntry(tx, account);
      await this.attempts.resetEverywhere(tx, emailNormalized);
      await this.accounts.delete(tx, accountId);
      await this.mail.sendIfVerified(tx, account, 'accountDeleted', {});
      await this.outbox.append(tx, accountDeleted, { accountId, email: emailVerified ? email : null });
      return { deleted: true as const };
    });
    this.logger.info({ accountId: proof.accountId }, 'Account deleted');
    await this.broadcaster.publish(broadcasts.sessionsEnded, { accountId: proof.accountId });
    return reply;
  }
}
