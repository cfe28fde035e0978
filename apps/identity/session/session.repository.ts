import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, MoreThan } from 'typeorm';
import type { Account } from '#libs/contracts';
import { accountColumns, type AccountRow, accountView } from '../account/account-view.js';
import { RefreshTokenEntity } from './refresh-token.entity.js';
import { type SessionEndReason, SessionEntity } from './session.entity.js';

export interface LiveSession {
  account: Account;
  expiresAt: Date;
  authenticatedAt: Date;
}

/** A session is live until it ends or expires. */
@Injectable()
export class SessionRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tx: EntityManager, session: SessionEntity): Promise<void> {
    await tx.insert(SessionEntity, session);
  }

  async insertRefreshToken(tx: EntityManager, token: Omit<RefreshTokenEntity, 'rotatedAt'>): Promise<void> {
    await tx.insert(RefreshTokenEntity, { ...token, rotatedAt: null });
  }

  /** Null if no session of the account is stored. */
  async findLastUse(accountId: string): Promise<Date | null> {
    const [row] = await this.dataSource.sql<[{ last: Date | null }]>`
      SELECT max(last_used_at) AS last FROM sessions WHERE account_id = ${accountId}`;
    return row.last;
  }

  /** With the account's current role, in one query; null unless the session is live. */
  async findLive(id: string, now: Date, tx = this.dataSource.manager): Promise<LiveSession | null> {
    const [row] = await tx.sql<(AccountRow & { expires_at: Date; authenticated_at: Date })[]>`
      SELECT s.expires_at, s.authenticated_at, ${accountColumns}
      FROM sessions s JOIN accounts a ON a.id = s.account_id
      WHERE s.id = ${id} AND s.ended_at IS NULL AND s.expires_at > ${now}`;
    if (!row) return null;
    return {
      account: accountView(row),
      expiresAt: row.expires_at,
      authenticatedAt: row.authenticated_at,
    };
  }

  lockLive(tx: EntityManager, id: string, now: Date): Promise<SessionEntity | null> {
    return tx.findOne(SessionEntity, {
      where: { id, endedAt: IsNull(), expiresAt: MoreThan(now) },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Live or not, locked until the transaction ends. */
  lockByRefreshToken(tx: EntityManager, tokenHash: Buffer): Promise<SessionEntity | null> {
    return tx
      .createQueryBuilder(SessionEntity, 'session')
      .where('session.id = (SELECT session_id FROM refresh_tokens WHERE token_hash = :tokenHash)', {
        tokenHash,
      })
      .setLock('pessimistic_write')
      .getOne();
  }

  findRefreshToken(tx: EntityManager, tokenHash: Buffer): Promise<RefreshTokenEntity | null> {
    return tx.findOneBy(RefreshTokenEntity, { tokenHash });
  }

  async markTokensRotated(tx: EntityManager, sessionId: string, rotatedAt: Date): Promise<void> {
    await tx.update(RefreshTokenEntity, { sessionId, rotatedAt: IsNull() }, { rotatedAt });
  }

  async recordUse(
    tx: EntityManager,
    id: string,
    use: Pick<SessionEntity, 'lastUsedAt' | 'expiresAt' | 'userAgent' | 'address'>,
  ): Promise<void> {
    await tx.update(SessionEntity, id, use);
  }

  async markAuthenticated(tx: EntityManager, id: string, authenticatedAt: Date): Promise<void> {
    await tx.update(SessionEntity, id, { authenticatedAt });
  }

  isAuthenticatedSince(id: string, since: Date): Promise<boolean> {
    const fresh = { id, endedAt: IsNull(), authenticatedAt: MoreThan(since) };
    return this.dataSource.manager.existsBy(SessionEntity, fresh);
  }

  /** Most recently used first. */
  listLive(accountId: string, now: Date, limit: number): Promise<SessionEntity[]> {
    return this.dataSource.manager.find(SessionEntity, {
      where: { accountId, endedAt: IsNull(), expiresAt: MoreThan(now) },
      order: { lastUsedAt: 'DESC', id: 'DESC' },
      take: limit,
    });
  }

  belongsTo(id: string, accountId: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(SessionEntity, { id, accountId });
  }

  /** Returns false if the session had ended or expired before. */
  async end(
    id: string,
    endReason: SessionEndReason,
    endedAt: Date,
    tx = this.dataSource.manager,
  ): Promise<boolean> {
    const live = { id, endedAt: IsNull(), expiresAt: MoreThan(endedAt) };
    const { affected } = await tx.update(SessionEntity, live, { endedAt, endReason });
    return affected === 1;
  }

  /** Ends the session with this id, the one with this refresh token, or both. Returns the ids of those that ended now. */
  async signOut(sessionId: string | null, tokenHash: Buffer | null, now: Date): Promise<string[]> {
    const [rows] = await this.dataSource.sql<[{ id: string }[], number]>`
      UPDATE sessions SET ended_at = ${now}, end_reason = 'signed-out'
      WHERE ended_at IS NULL AND expires_at > ${now} AND (
        id = ${sessionId} OR id = (SELECT session_id FROM refresh_tokens WHERE token_hash = ${tokenHash}))
      RETURNING id`;
    return rows.map(({ id }) => id);
  }

  /** Also deletes pending sign-ins. Returns the ids of the sessions that ended now. See `SessionService.endAll`. */
  async endAll(
    tx: EntityManager,
    accountId: string,
    { reason, now, exceptId = null }: { reason: SessionEndReason; now: Date; exceptId?: string | null },
  ): Promise<string[]> {
    await tx.sql`DELETE FROM pending_sign_ins WHERE account_id = ${accountId}`;
    // Waits for refreshes in progress. Without that, the update below could take a session that such a refresh prolongs for expired, and skip it.
    await tx.sql`
      SELECT 1 FROM sessions
      WHERE account_id = ${accountId} AND ended_at IS NULL AND id IS DISTINCT FROM ${exceptId} FOR NO KEY UPDATE`;
    const [rows] = await tx.sql<[{ id: string }[], number]>`
      UPDATE sessions SET ended_at = ${now}, end_reason = ${reason}
      WHERE account_id = ${accountId} AND ended_at IS NULL AND expires_at > ${now} AND id IS DISTINCT FROM ${exceptId}
      RETURNING id`;
    return rows.map(({ id }) => id);
  }
}
