import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type Actor, type AdminUser, broadcasts, DomainError } from '#libs/contracts';
import { AuditTrail, Inbox, uuidv7 } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { isAdminSql } from '../account/account-view.js';
import { normalizeEmail } from '../account/email.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { Clock } from '../clock.js';
import { AdminUserHistoryEntity } from './admin-user-history.entity.js';
import { AdminUserEntity } from './admin-user.entity.js';

type Change = AdminUserHistoryEntity['change'];

/** So long a removal can be undone. */
const undoMs = 3_600_000;

/** The list of admins. Every change is kept in a history, and told to the processes that remember who is one. */
@Injectable()
export class AdminUserService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly announcer: BroadcastService,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  /** All of them for an admin, oldest first; for others the own entry or nothing. */
  async list(actor: Actor): Promise<AdminUser[]> {
    if (actor.role === 'visitor') return [];
    const entries = await this.dataSource.manager.find(AdminUserEntity, { order: { id: 'ASC' } });
    return entries.filter((entry) => maySee(actor, entry)).map(view);
  }

  /** Throws NOT_FOUND, also for an entry that is not the actor's to see. */
  async item(id: string, actor: Actor): Promise<AdminUser> {
    const entry = await this.find(this.dataSource.manager, id);
    if (!maySee(actor, entry)) throw new DomainError('NOT_FOUND');
    return view(entry);
  }

  /** Throws DUPLICATE, FORBIDDEN. */
  add(userEmail: string, context: RequestContext): Promise<AdminUser> {
    return this.change(context, async (tx) => {
      const entry = await this.insert(tx, userEmail, changerOf(context.actor));
      await this.auditChange(tx, context.actor, entry, null, { userEmail });
      return view(entry);
    });
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH, DUPLICATE, LAST_ADMIN, FORBIDDEN. */
  update(
    { id, userEmail, ifVersion }: { id: string; userEmail: string; ifVersion?: number },
    context: RequestContext,
  ): Promise<{ record: AdminUser; modified: boolean }> {
    return this.change(context, async (tx) => {
      const entry = await this.find(tx, id);
      requireVersion(entry, ifVersion);
      if (entry.userEmail === userEmail) return { record: view(entry), modified: false };
      await this.requireFree(tx, userEmail, entry.id);

      const before = entry.userEmail;
      entry.userEmail = userEmail;
      entry.emailNormalized = normalizeEmail(userEmail);
      entry.version += 1;
      entry.updatedAt = this.clock.now();
      await tx.save(entry);
      await this.requireAnAdmin(tx);
      await this.record(tx, 'updated', entry, changerOf(context.actor));
      await this.auditChange(tx, context.actor, entry, { userEmail: before }, { userEmail });
      return { record: view(entry), modified: true };
    });
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH, LAST_ADMIN, FORBIDDEN. */
  remove(
    { id, ifVersion }: { id: string; ifVersion?: number },
    context: RequestContext,
  ): Promise<{ _id: string }> {
    return this.change(context, async (tx) => {
      const entry = await this.find(tx, id);
      requireVersion(entry, ifVersion);
      await this.drop(tx, entry, changerOf(context.actor));
      await this.requireAnAdmin(tx);
      await this.auditChange(tx, context.actor, entry, { userEmail: entry.userEmail }, null);
      return { _id: entry.id };
    });
  }

  /**
   * Gives back what `remove` took, under its id, for an hour. Throws NOT_FOUND, FORBIDDEN, DUPLICATE when the address is on the list
   * again.
   */
  restore(id: string, context: RequestContext): Promise<AdminUser> {
    return this.change(context, async (tx) => {
      const there = isUuid(id) ? await tx.findOneBy(AdminUserEntity, { id }) : null;
      if (there) return view(there);
      const entry = await this.lastOf(tx, id);
      await this.requireFree(tx, entry.userEmail);
      await tx.insert(AdminUserEntity, entry);
      await this.record(tx, 'restored', entry, changerOf(context.actor));
      await this.audit.record(tx, context.actor, {
        section: 'adminUser',
        recordId: id,
        name: entry.userEmail,
        change: 'restored',
        before: null,
        after: { userEmail: entry.userEmail },
      });
      return view(entry);
    });
  }

  /** What the history knows of an entry that an admin deleted within the hour. Throws NOT_FOUND. */
  private async lastOf(tx: EntityManager, id: string): Promise<AdminUserEntity> {
    const history = isUuid(id)
      ? await tx.find(AdminUserHistoryEntity, { where: { adminUserId: id }, order: { version: 'ASC' } })
      : [];
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
    return tx.create(AdminUserEntity, {
      id,
      userEmail,
      emailNormalized: normalizeEmail(userEmail),
      version: last.version + 1,
      createdAt: first.changedAt,
      updatedAt: now,
    });
  }

  /**
   * Makes changes to who is an admin take turns until the caller's transaction ends: whatever counts admins, or
   * verifies, renames or deletes an account that may be one, takes this lock first. Reading is not held up.
   */
  async lock(tx: EntityManager): Promise<void> {
    await tx.query(`LOCK TABLE admin_users IN SHARE ROW EXCLUSIVE MODE`);
  }

  /** Admins who can act: entries whose address is an account's verified one. */
  async count(tx: EntityManager): Promise<number> {
    const [row] = await tx.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM accounts a WHERE ${isAdminSql}`,
    );
    return row?.count ?? 0;
  }

  /** Adds an entry in the caller's transaction. `changedBy`: account id, or null for the system. Throws DUPLICATE. */
  async insert(tx: EntityManager, userEmail: string, changedBy: string | null): Promise<AdminUserEntity> {
    await this.requireFree(tx, userEmail);
    const now = this.clock.now();
    const entry = tx.create(AdminUserEntity, {
      id: uuidv7(),
      userEmail,
      emailNormalized: normalizeEmail(userEmail),
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    await tx.insert(AdminUserEntity, entry);
    await this.record(tx, 'created', entry, changedBy);
    return entry;
  }

  /**
   * An account that is an admin gets another address, in the caller's transaction, which holds the lock: its entry goes along. An entry
   * that the new address has already serves as well.
   */
  async carryAlong(
    tx: EntityManager,
    account: { id: string; emailNormalized: string; emailVerified: boolean },
    userEmail: string,
  ): Promise<void> {
    const entry = await this.entryOf(tx, account);
    const emailNormalized = normalizeEmail(userEmail);
    if (!entry) return;
    const holder = await tx.findOneBy(AdminUserEntity, { emailNormalized });
    if (holder && holder.id !== entry.id) return this.drop(tx, entry, account.id);
    const moved = { userEmail, emailNormalized, version: entry.version + 1, updatedAt: this.clock.now() };
    await tx.update(AdminUserEntity, entry.id, moved);
    await this.record(tx, 'updated', { ...entry, ...moved }, account.id);
  }

  /**
   * An account is about to go, in the caller's transaction, which holds the lock: its entry goes first, so that nobody who has the address
   * later inherits it. Throws LAST_ADMIN.
   */
  async leave(
    tx: EntityManager,
    account: { id: string; emailNormalized: string; emailVerified: boolean },
  ): Promise<void> {
    const entry = await this.entryOf(tx, account);
    if (!entry) return;
    await this.drop(tx, entry, account.id);
    await this.requireAnAdmin(tx);
  }

  /** The entry that makes this account an admin; none for an address that was never proved. */
  private async entryOf(
    tx: EntityManager,
    { emailNormalized, emailVerified }: { emailNormalized: string; emailVerified: boolean },
  ): Promise<AdminUserEntity | null> {
    return emailVerified ? tx.findOneBy(AdminUserEntity, { emailNormalized }) : null;
  }

  private async drop(tx: EntityManager, entry: AdminUserEntity, changedBy: string | null): Promise<void> {
    await tx.delete(AdminUserEntity, entry.id);
    await this.record(tx, 'deleted', { ...entry, version: entry.version + 1 }, changedBy);
  }

  /** One at a time, once per request, by somebody who is an admin at that moment; then tells the others. */
  private async change<T>(context: RequestContext, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.inbox.once(context, async (tx) => {
      await this.lock(tx);
      await this.requireAdmin(tx, context.actor);
      return work(tx);
    });
    await this.announcer.tell(broadcasts.adminsChanged, {});
    return result;
  }

  /** The gateway's knowledge may be a second old; two admins who remove each other must not both succeed. */
  private async requireAdmin(tx: EntityManager, actor: Actor): Promise<void> {
    if (actor.role === 'system') return;
    const accountId = changerOf(actor);
    const [row] = await tx.query<{ is_admin: boolean }[]>(
      `SELECT ${isAdminSql} AS is_admin FROM accounts a WHERE a.id = $1`,
      [accountId],
    );
    if (!row?.is_admin) throw new DomainError('FORBIDDEN');
  }

  /** Checked after the change, before it commits. */
  private async requireAnAdmin(tx: EntityManager): Promise<void> {
    if ((await this.count(tx)) === 0) throw new DomainError('LAST_ADMIN');
  }

  private async requireFree(tx: EntityManager, userEmail: string, exceptId?: string): Promise<void> {
    const holder = await tx.findOneBy(AdminUserEntity, { emailNormalized: normalizeEmail(userEmail) });
    if (!holder || holder.id === exceptId) return;
    throw new DomainError('DUPLICATE', {
      fields: [{ field: 'userEmail', message: 'This address already belongs to an admin' }],
    });
  }

  private async find(tx: EntityManager, id: string): Promise<AdminUserEntity> {
    const entry = isUuid(id) ? await tx.findOneBy(AdminUserEntity, { id }) : null;
    if (!entry) throw new DomainError('NOT_FOUND');
    return entry;
  }

  private async auditChange(
    tx: EntityManager,
    actor: Actor,
    { id, userEmail }: AdminUserEntity,
    before: { userEmail: string } | null,
    after: { userEmail: string } | null,
  ): Promise<void> {
    const change = !before ? 'created' : after ? 'updated' : 'deleted';
    await this.audit.record(tx, actor, {
      section: 'adminUser',
      recordId: id,
      name: userEmail,
      change,
      before,
      after,
    });
  }

  private async record(
    tx: EntityManager,
    change: Change,
    entry: AdminUserEntity,
    changedBy: string | null,
  ): Promise<void> {
    await tx.insert(AdminUserHistoryEntity, {
      id: uuidv7(),
      adminUserId: entry.id,
      version: entry.version,
      change,
      userEmail: entry.userEmail,
      changedAt: this.clock.now(),
      changedBy,
    });
  }
}

/** An address is one's own once it is verified: whoever merely registered it learns nothing. */
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
