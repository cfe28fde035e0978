import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  type Actor,
  adminListChanged,
  type AdminUser,
  broadcasts,
  DomainError,
  identityContract,
} from '#libs/contracts';
import { AuditTrail, Inbox, Outbox, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import type { AccountEntity } from '../account/account.entity.js';
import { AccountRepository } from '../account/account.repository.js';
import { normalizeEmail } from '../account/email.js';
import { BroadcastService } from '../core/broadcast.service.js';
import type { AdminUserHistoryEntity } from './admin-user-history.entity.js';
import type { AdminUserEntity } from './admin-user.entity.js';
import { AdminUserRepository } from './admin-user.repository.js';

type Change = AdminUserHistoryEntity['change'];
type EntryOwner = Pick<AccountEntity, 'id' | 'email' | 'emailVerified'>;

/** How long a removed entry can be restored. */
const undoMs = 3_600_000;

@Injectable()
export class AdminUserService {
  constructor(
    private readonly adminUsers: AdminUserRepository,
    private readonly accounts: AccountRepository,
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
    private readonly broadcaster: BroadcastService,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Admins and our own processes get all entries, the oldest first. An admin who lacks the required second factor counts as a customer, and gets only
   * their own entry. Other customers and visitors get none.
   */
  @Handles(identityContract.listAdminUsers)
  async list(_: object, { actor }: RequestContext): Promise<AdminUser[]> {
    if (actor.role === 'visitor') return [];
    const entries = await this.adminUsers.list();
    return entries.filter((entry) => maySee(actor, entry)).map(view);
  }

  /** Throws NOT_FOUND, also for an entry that the actor may not see. */
  @Handles(identityContract.getAdminUser)
  async get({ id }: { id: string }, { actor }: RequestContext): Promise<AdminUser> {
    const entry = await this.getEntry(id);
    if (!maySee(actor, entry)) throw new DomainError('NOT_FOUND');
    return view(entry);
  }

  @Handles(identityContract.createAdminUser)
  add({ userEmail }: { userEmail: string }, context: RequestContext): Promise<AdminUser> {
    return this.change(context, async (tx) => {
      const entry = await this.insert(tx, userEmail, changerOf(context.actor));
      await this.recordAudit(tx, context.actor, 'created', entry, null, { userEmail });
      return view(entry);
    });
  }

  @Handles(identityContract.updateAdminUser)
  update(
    { id, userEmail, ifVersion }: { id: string; userEmail: string; ifVersion?: number },
    context: RequestContext,
  ): Promise<{ record: AdminUser; modified: boolean }> {
    return this.change(context, async (tx) => {
      const entry = await this.getEntry(id, tx);
      requireVersion(entry, ifVersion);
      if (entry.userEmail === userEmail) return { record: view(entry), modified: false };
      await this.requireFree(tx, userEmail, entry.id);
      const before = { userEmail: entry.userEmail };
      await this.setAddress(tx, entry, userEmail, changerOf(context.actor));
      await this.requireRemainingAdmin(tx);
      await this.adminUsers.deleteInvitationsOfFormerAdmins(tx);
      await this.recordAudit(tx, context.actor, 'updated', entry, before, { userEmail });
      return { record: view(entry), modified: true };
    });
  }

  @Handles(identityContract.deleteAdminUser)
  remove({ id }: { id: string }, context: RequestContext): Promise<{ _id: string }> {
    return this.change(context, async (tx) => {
      const entry = await this.getEntry(id, tx);
      await this.delete(tx, entry, changerOf(context.actor));
      await this.requireRemainingAdmin(tx);
      await this.adminUsers.deleteInvitationsOfFormerAdmins(tx);
      await this.recordAudit(tx, context.actor, 'deleted', entry, { userEmail: entry.userEmail }, null);
      return { _id: entry.id };
    });
  }

  /** Restores the entry under its former id, within an hour of its removal. If it is on the list, returns it unchanged. */
  @Handles(identityContract.restoreAdminUser)
  restore({ id }: { id: string }, context: RequestContext): Promise<AdminUser> {
    return this.change(context, async (tx) => {
      const existing = isUuid(id) ? await this.adminUsers.find(id, tx) : null;
      if (existing) return view(existing);
      const entry = await this.getRemovedEntry(tx, id);
      const { userEmail } = entry;
      await this.requireFree(tx, userEmail);
      await this.adminUsers.save(tx, entry);
      await this.recordAndAnnounce(tx, 'restored', entry, changerOf(context.actor));
      await this.recordAudit(tx, context.actor, 'restored', entry, null, { userEmail });
      return view(entry);
    });
  }

  /** See `AdminUserRepository.lock`. */
  async lock(tx: EntityManager): Promise<void> {
    await this.adminUsers.lock(tx);
  }

  /**
   * Locks the list, and checks again that the actor is an admin: the role that the gateway remembers may be a second old, and of two admins who
   * remove each other only one may succeed. Our own processes may change the list, too. Throws FORBIDDEN.
   */
  async lockAndRequireAdmin(tx: EntityManager, actor: Actor): Promise<void> {
    await this.lock(tx);
    if (actor.role === 'system') return;
    const accountId = changerOf(actor);
    const isAdmin = accountId !== null && (await this.accounts.isAdmin(tx, accountId));
    if (!isAdmin) throw new DomainError('FORBIDDEN');
  }

  /** `changedBy`: see `AdminUserHistoryEntity`. Throws DUPLICATE. */
  async insert(tx: EntityManager, userEmail: string, changedBy: string | null): Promise<AdminUserEntity> {
    await this.requireFree(tx, userEmail);
    const now = this.clock.now();
    const entry = {
      id: uuidv7(),
      userEmail,
      emailNormalized: normalizeEmail(userEmail),
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    await this.adminUsers.save(tx, entry);
    await this.recordAndAnnounce(tx, 'created', entry, changedBy);
    return entry;
  }

  async isListed(tx: EntityManager, userEmail: string): Promise<boolean> {
    return (await this.adminUsers.findByEmail(tx, userEmail)) !== null;
  }

  /** For an account that changes its address; lock the list first. If the new address has an entry, the account's own is removed. */
  async moveEntry(tx: EntityManager, account: EntryOwner, userEmail: string): Promise<void> {
    const entry = await this.findEntryOf(tx, account);
    if (!entry) return;
    const existing = await this.adminUsers.findByEmail(tx, userEmail);
    if (existing && existing.id !== entry.id) await this.delete(tx, entry, account.id);
    else await this.setAddress(tx, entry, userEmail, account.id);
  }

  /**
   * For an account that is about to be deleted: with the entry, somebody who registers the address later would be an admin. Lock the list first.
   * Throws LAST_ADMIN.
   */
  async removeEntry(tx: EntityManager, account: EntryOwner): Promise<void> {
    const entry = await this.findEntryOf(tx, account);
    if (!entry) return;
    await this.delete(tx, entry, account.id);
    await this.requireRemainingAdmin(tx);
  }

  private async findEntryOf(
    tx: EntityManager,
    { email, emailVerified }: EntryOwner,
  ): Promise<AdminUserEntity | null> {
    return emailVerified ? this.adminUsers.findByEmail(tx, email) : null;
  }

  private async setAddress(
    tx: EntityManager,
    entry: AdminUserEntity,
    userEmail: string,
    changedBy: string | null,
  ): Promise<void> {
    const formerEmail = entry.userEmail;
    entry.userEmail = userEmail;
    entry.emailNormalized = normalizeEmail(userEmail);
    entry.version += 1;
    entry.updatedAt = this.clock.now();
    await this.adminUsers.save(tx, entry);
    await this.recordAndAnnounce(tx, 'updated', entry, changedBy, formerEmail);
  }

  private async delete(tx: EntityManager, entry: AdminUserEntity, changedBy: string | null): Promise<void> {
    await this.adminUsers.delete(tx, entry.id);
    await this.recordAndAnnounce(tx, 'deleted', { ...entry, version: entry.version + 1 }, changedBy);
  }

  /** Rebuilt from the history. Throws NOT_FOUND unless the entry was removed within the last hour. */
  private async getRemovedEntry(tx: EntityManager, id: string): Promise<AdminUserEntity> {
    const history = isUuid(id) ? await this.adminUsers.listHistory(tx, id) : [];
    const [first] = history;
    const last = history.at(-1);
    const now = this.clock.now();
    if (!first || last?.change !== 'deleted' || now.getTime() - last.changedAt.getTime() > undoMs)
      throw new DomainError(
        'NOT_FOUND',
        {},
        'This can’t be restored. It doesn’t exist, or it was deleted more than an hour ago.',
      );
    const { userEmail } = last;
    return {
      id,
      userEmail,
      emailNormalized: normalizeEmail(userEmail),
      version: last.version + 1,
      createdAt: first.changedAt,
      updatedAt: now,
    };
  }

  /** Runs `work` once per request, after `lockAndRequireAdmin`. Broadcasts the change. */
  private async change<T>(context: RequestContext, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.inbox.once(context, async (tx) => {
      await this.lockAndRequireAdmin(tx, context.actor);
      return work(tx);
    });
    await this.broadcaster.publish(broadcasts.adminsChanged, {});
    return result;
  }

  /** Call it after the change, before the commit. */
  private async requireRemainingAdmin(tx: EntityManager): Promise<void> {
    if ((await this.accounts.countAdmins(tx)) === 0) throw new DomainError('LAST_ADMIN');
  }

  private async requireFree(tx: EntityManager, userEmail: string, exceptId?: string): Promise<void> {
    const existing = await this.adminUsers.findByEmail(tx, userEmail);
    if (!existing || existing.id === exceptId) return;
    throw new DomainError('DUPLICATE', {
      fields: [{ field: 'userEmail', message: 'This address already belongs to an admin' }],
    });
  }

  private async getEntry(id: string, tx?: EntityManager): Promise<AdminUserEntity> {
    const entry = isUuid(id) ? await this.adminUsers.find(id, tx) : null;
    if (!entry) throw new DomainError('NOT_FOUND');
    return entry;
  }

  private async recordAudit(
    tx: EntityManager,
    actor: Actor,
    change: Change,
    { id, userEmail }: AdminUserEntity,
    before: { userEmail: string } | null,
    after: { userEmail: string } | null,
  ): Promise<void> {
    const entry = { section: 'adminUser', recordId: id, name: userEmail, change, before, after };
    await this.audit.record(tx, actor, entry);
  }

  /** Announces only a person's change. Deletes an invitation to the address. */
  private async recordAndAnnounce(
    tx: EntityManager,
    change: Change,
    entry: AdminUserEntity,
    changedBy: string | null,
    formerEmail: string | null = null,
  ): Promise<void> {
    await this.adminUsers.insertHistory(tx, {
      id: uuidv7(),
      adminUserId: entry.id,
      version: entry.version,
      change,
      userEmail: entry.userEmail,
      changedAt: this.clock.now(),
      changedBy,
    });
    await this.adminUsers.deleteInvitation(tx, entry.userEmail);
    if (changedBy === null) return;
    const { userEmail } = entry;
    const emailBefore = change === 'deleted' ? userEmail : formerEmail;
    // The former address is still on the list if only its letter case was changed.
    const isOffTheList = emailBefore !== null && !(await this.isListed(tx, emailBefore));
    const formerAdmin = isOffTheList ? await this.accounts.findByEmail(tx, emailBefore) : null;
    await this.outbox.append(tx, adminListChanged, {
      change,
      userEmail,
      formerEmail,
      // Also null if the former admin made the change: they know of it. If they deleted their account, they get a mail about that.
      removedEmail: formerAdmin?.emailVerified && formerAdmin.id !== changedBy ? formerAdmin.email : null,
      by: (await this.accounts.get(tx, changedBy)).email,
    });
  }
}

/** Anyone can register somebody else's address, so a customer must have verified it to see its entry. */
function maySee(actor: Actor, entry: AdminUserEntity): boolean {
  if (actor.role === 'admin' || actor.role === 'system') return true;
  return (
    actor.role === 'customer' && actor.emailVerified && normalizeEmail(actor.email) === entry.emailNormalized
  );
}

function changerOf(actor: Actor): string | null {
  return 'accountId' in actor ? actor.accountId : null;
}

function requireVersion(entry: AdminUserEntity, ifVersion: number | undefined): void {
  if (ifVersion !== undefined && ifVersion !== entry.version) {
    throw new DomainError('VERSION_MISMATCH', { current: view(entry) });
  }
}

function view(entry: AdminUserEntity): AdminUser {
  return {
    _id: entry.id,
    userEmail: entry.userEmail,
    userRole: 'Admin',
    createdAt: entry.createdAt.toISOString(),
    updatedAt: entry.updatedAt.toISOString(),
    version: entry.version,
  };
}
