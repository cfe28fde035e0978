import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type Actor,
  adminInvitationContract,
  type AdminInvitation,
  broadcasts,
  DomainError,
  type HandlerInputs,
} from '#libs/contracts';
import {
  AuditTrail,
  Inbox,
  mailboxOf,
  type MailCounter,
  newToken,
  RecipientLimits,
  sha256,
} from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, addSeconds } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import type { AccountEntity } from '../account/account.entity.js';
import { AccountRepository } from '../account/account.repository.js';
import { normalizeEmail } from '../account/email.js';
import { personOf } from '../account/person.js';
import { AdminUserService } from '../admin-user/admin-user.service.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';
import { AccountMailService } from '../core/account-mail.service.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { fieldError } from '../core/field-error.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordService } from '../credential/password.service.js';
import { linkExpired } from '../link/mailed-link.service.js';
import { AccountReclaimService } from '../reclaim/account-reclaim.service.js';
import { AdminInvitationRepository, type Invitation } from './admin-invitation.repository.js';

type Input = HandlerInputs<typeof adminInvitationContract>;

const daySeconds = 24 * 60 * 60;
const lifetimeSeconds = 7 * daySeconds;

/** One counter limits the mails to a mailbox, because its owner may want none. The other limits the mails that an admin causes. */
const mailCounters = (email: string, accountId: string): MailCounter[] => [
  {
    key: mailboxOf(email),
    limits: [
      { of: 'this kind', count: 1, seconds: 60 },
      { of: 'this kind', count: 3, seconds: daySeconds },
    ],
  },
  { key: `account ${accountId}`, limits: [{ of: 'this kind', count: 20, seconds: daySeconds }] },
];

/**
 * An invitation's link works once, and only for the owner of the invited address. They accept with an account that has verified the address, or else
 * get a new or reclaimed one. `admin_invitations` has only the hash of the link's token; the outbox keeps the link for a while: see
 * `MailedLinkService`.
 */
@Injectable()
export class AdminInvitationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly invitations: AdminInvitationRepository,
    private readonly accounts: AccountRepository,
    private readonly adminUsers: AdminUserService,
    private readonly limits: RecipientLimits,
    private readonly mail: AccountMailService,
    private readonly credentials: CredentialRepository,
    private readonly passwords: PasswordService,
    private readonly reclaims: AccountReclaimService,
    private readonly broadcaster: BroadcastService,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Handles(adminInvitationContract.listAdminInvitations)
  async list(): Promise<AdminInvitation[]> {
    return (await this.invitations.list()).map((invitation) => this.view(invitation));
  }

  @Handles(adminInvitationContract.createAdminInvitation)
  invite({ email }: Input['createAdminInvitation'], context: RequestContext): Promise<AdminInvitation> {
    return this.inbox.once(context, async (tx) => {
      const { accountId: inviterId, email: inviterEmail } = personOf(context.actor);
      await this.adminUsers.lockAndRequireAdmin(tx, context.actor);
      if (await this.adminUsers.isListed(tx, email)) {
        throw new DomainError('DUPLICATE', {
          fields: [{ field: 'email', message: 'This address already belongs to an admin' }],
        });
      }
      const sentAt = this.clock.now();
      const counters = mailCounters(email, inviterId);
      const retryAfterSeconds = await this.limits.countMail(tx, 'adminInvitation', counters, sentAt);
      if (retryAfterSeconds > 0) throw new DomainError('RATE_LIMITED', { retryAfterSeconds });
      const token = newToken();
      const expiresAt = addSeconds(sentAt, lifetimeSeconds);
      const id = await this.invitations.save(tx, {
        email,
        tokenHash: sha256(token),
        inviterId,
        sentAt,
        expiresAt,
      });
      await this.mail.send(tx, email, 'adminInvitation', {
        link: `${this.config.PUBLIC_URL}/admin-invitation#token=${token}`,
        expiresAt: expiresAt.toISOString(),
        invitedBy: inviterEmail,
      });
      await this.recordAudit(tx, context.actor, { id, email }, 'created');
      const emailNormalized = normalizeEmail(email);
      return this.view({ id, email, emailNormalized, inviterId, inviterEmail, sentAt, expiresAt });
    });
  }

  @Handles(adminInvitationContract.deleteAdminInvitation)
  revoke({ id }: Input['deleteAdminInvitation'], context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      await this.adminUsers.lockAndRequireAdmin(tx, context.actor);
      const email = await this.invitations.delete(tx, id);
      if (email === undefined) throw new DomainError('NOT_FOUND');
      await this.recordAudit(tx, context.actor, { id, email }, 'deleted');
      return { _id: id };
    });
  }

  @Handles(adminInvitationContract.readAdminInvitation)
  async read({ token }: Input['readAdminInvitation']) {
    const found = this.requireValid(await this.invitations.findByToken(sha256(token)));
    const account = await this.accounts.findByEmail(this.dataSource.manager, found.email);
    const { email, invitedBy, expiresAt } = this.view(found);
    return { email, invitedBy, expiresAt, hasAccount: account?.emailVerified ?? false };
  }

  @Handles(adminInvitationContract.acceptAdminInvitation)
  async accept(
    { token }: Input['acceptAdminInvitation'],
    context: RequestContext,
  ): Promise<{ email: string }> {
    const accepted = await this.inbox.once(context, async (tx) => {
      const invitation = await this.lockInvitation(tx, token);
      const account = await this.accounts.lockOwn(tx, context.actor);
      if (account.emailNormalized !== invitation.emailNormalized)
        throw new DomainError('FORBIDDEN', {}, 'This invitation is for another e-mail address.');
      if (!account.emailVerified)
        throw new DomainError(
          'FORBIDDEN',
          {},
          'Confirm your e-mail address first, then open the invitation again.',
        );
      await this.makeAdmin(tx, invitation, account);
      return { email: account.email };
    });
    await this.broadcaster.publish(broadcasts.adminsChanged, {});
    return accepted;
  }

  /** An unverified account with the address is reclaimed, because anybody may have registered it. */
  @Handles(adminInvitationContract.joinByAdminInvitation)
  async join(
    { token, password }: Input['joinByAdminInvitation'],
    context: RequestContext,
  ): Promise<{ email: string }> {
    const storedReply = await this.inbox.findReply<{ email: string }>(context);
    if (storedReply) return { email: storedReply.email };
    const found = this.requireValid(await this.invitations.findByToken(sha256(token)));
    const { id: invitationId, email } = found;
    // The invitation is the requester in the queue of `PasswordHasher`.
    const passwordHash = await this.passwords.hashNew(password, email, invitationId);
    const { ended } = await this.inbox.once(context, async (tx) => {
      const invitation = await this.lockInvitation(tx, token);
      await this.accounts.createIfMissing(tx, { email: invitation.email, emailVerified: false });
      const { emailNormalized } = invitation;
      const account = await this.accounts.lock(tx, { emailNormalized });
      if (!account || account.emailVerified) throw fieldError('EMAIL_TAKEN', 'email');
      const endedSessions = await this.reclaims.reclaim(tx, account.id);
      await this.credentials.set(tx, account.id, passwordHash);
      await this.makeAdmin(tx, invitation, account);
      return { email: account.email, ended: endedSessions };
    });
    await this.broadcaster.publishEndedSessions(ended);
    await this.broadcaster.publish(broadcasts.adminsChanged, {});
    return { email };
  }

  /** Locks the list of admins, then the invitation, until the transaction ends. Throws LINK_EXPIRED. */
  private async lockInvitation(tx: EntityManager, token: string): Promise<Invitation> {
    await this.adminUsers.lock(tx);
    return this.requireValid(await this.invitations.lockByToken(tx, sha256(token)));
  }

  private requireValid(invitation: Invitation | undefined): Invitation {
    if (!invitation || invitation.expiresAt <= this.clock.now()) throw linkExpired();
    return invitation;
  }

  /**
   * Puts the account on the list of admins, which ends the invitation. In the list's history, the inviter made this change; in the audit log, the new
   * admin did.
   */
  private async makeAdmin(
    tx: EntityManager,
    { inviterId, inviterEmail }: Invitation,
    account: AccountEntity,
  ) {
    const entry = await this.adminUsers.insert(tx, account.email, inviterId);
    await this.audit.record(tx, adminOf(account), {
      section: 'adminUser',
      recordId: entry.id,
      name: account.email,
      change: 'created',
      before: null,
      after: { userEmail: account.email, invitedBy: inviterEmail },
    });
    this.logger.info(
      { accountId: account.id, invitedBy: inviterId },
      'Invitation accepted: there is a new admin',
    );
  }

  private async recordAudit(
    tx: EntityManager,
    actor: Actor,
    { id: recordId, email }: Pick<Invitation, 'id' | 'email'>,
    change: 'created' | 'deleted',
  ): Promise<void> {
    await this.audit.record(tx, actor, {
      section: 'adminInvitation',
      recordId,
      name: email,
      change,
      before: change === 'deleted' ? { email } : null,
      after: change === 'created' ? { email } : null,
    });
  }

  private view({ id, email, inviterEmail, sentAt, expiresAt }: Invitation): AdminInvitation {
    return {
      _id: id,
      email,
      invitedBy: inviterEmail,
      sentAt: sentAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      expired: expiresAt <= this.clock.now(),
    };
  }
}

/** For the audit log, which does not store the session. */
function adminOf({ id: accountId, email }: AccountEntity): Actor {
  return { role: 'admin', accountId, email, emailVerified: true, sessionId: '' };
}
