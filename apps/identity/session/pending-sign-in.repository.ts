import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { sha256 } from '#libs/database';

/**
 * Sign-ins between the password (or Google) and the second factor. Only the hashes of their tokens are stored. No entity: a row is never read as a
 * whole, and using one up has to be a single `DELETE … RETURNING`.
 */
@Injectable()
export class PendingSignInRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tx: EntityManager, token: string, accountId: string, expiresAt: Date): Promise<void> {
    await tx.sql`
      INSERT INTO pending_sign_ins (token_hash, account_id, expires_at)
      VALUES (${sha256(token)}, ${accountId}, ${expiresAt})`;
  }

  /** Null for an unknown or expired token. */
  async findAccountId(token: string, now: Date): Promise<string | null> {
    const [row] = await this.dataSource.sql<{ account_id: string }[]>`
      SELECT account_id FROM pending_sign_ins WHERE token_hash = ${sha256(token)} AND expires_at > ${now}`;
    return row?.account_id ?? null;
  }

  /** Deletes the sign-in and returns its account's id; null for an unknown or expired token. */
  async take(tx: EntityManager, token: string, now: Date): Promise<string | null> {
    const [[row]] = await tx.sql<[{ account_id: string }[], number]>`
      DELETE FROM pending_sign_ins WHERE token_hash = ${sha256(token)} AND expires_at > ${now}
      RETURNING account_id`;
    return row?.account_id ?? null;
  }
}
