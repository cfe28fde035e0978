import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { uuidv7 } from '#libs/database';
import { isAdminSql } from '../account/account-view.js';
import { normalizeEmail } from '../account/email.js';

export interface Invitation {
  id: string;
  email: string;
  emailNormalized: string;
  inviterId: string;
  inviterEmail: string;
  sentAt: Date;
  expiresAt: Date;
}

type NewInvitation = Pick<Invitation, 'email' | 'inviterId' | 'sentAt' | 'expiresAt'> & { tokenHash: Buffer };

/**
 * Invitations whose inviter `a` is an admin, and whose address is not on the list of admins. Includes expired ones: the service checks their time.
 * A function, because the `sql` tag would take a string for a parameter.
 */
const invitationSql = () => `
  SELECT i.id, i.email, i.email_normalized AS "emailNormalized", i.invited_by AS "inviterId",
    a.email AS "inviterEmail", i.sent_at AS "sentAt", i.expires_at AS "expiresAt"
  FROM admin_invitations i JOIN accounts a ON a.id = i.invited_by
  WHERE ${isAdminSql()} AND NOT EXISTS (
    SELECT 1 FROM admin_users listed WHERE listed.email_normalized = i.email_normalized)`;

/** The table has no entity, because every read joins the inviter. */
@Injectable()
export class AdminInvitationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** In the order in which they were first sent. */
  list(): Promise<Invitation[]> {
    return this.dataSource.sql<Invitation[]>`${invitationSql} ORDER BY i.id`;
  }

  async findByToken(tokenHash: Buffer): Promise<Invitation | undefined> {
    const [found] = await this.dataSource.sql<Invitation[]>`${invitationSql} AND i.token_hash = ${tokenHash}`;
    return found;
  }

  /** Locked until the transaction ends. */
  async lockByToken(tx: EntityManager, tokenHash: Buffer): Promise<Invitation | undefined> {
    const [found] = await tx.sql<Invitation[]>`
      ${invitationSql} AND i.token_hash = ${tokenHash} FOR UPDATE OF i`;
    return found;
  }

  /** Replaces an invitation to the same address. Returns the id. */
  async save(
    tx: EntityManager,
    { email, tokenHash, inviterId, sentAt, expiresAt }: NewInvitation,
  ): Promise<string> {
    const [row] = await tx.sql<[{ id: string }]>`
      INSERT INTO admin_invitations (id, email, email_normalized, token_hash, invited_by, sent_at, expires_at)
      VALUES (${uuidv7()}, ${email}, ${normalizeEmail(email)}, ${tokenHash}, ${inviterId}, ${sentAt}, ${expiresAt})
      ON CONFLICT (email_normalized) DO UPDATE SET email = excluded.email, token_hash = excluded.token_hash,
        invited_by = excluded.invited_by, sent_at = excluded.sent_at, expires_at = excluded.expires_at
      RETURNING id`;
    return row.id;
  }

  /** Returns the invited address; undefined for an unknown id. */
  async delete(tx: EntityManager, id: string): Promise<string | undefined> {
    if (!isUuid(id)) return undefined;
    const [deleted] = await tx.sql<[{ email: string }[], number]>`
      DELETE FROM admin_invitations WHERE id = ${id} RETURNING email`;
    return deleted[0]?.email;
  }
}
