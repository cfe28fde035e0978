import { Column, Entity, PrimaryColumn } from 'typeorm';

export type LinkPurpose = 'verify-email' | 'reset-password' | 'change-email';

/** A link that was mailed and proves access to the mailbox. Only the hash of its token is stored. */
@Entity('account_links')
export class MailedLinkEntity {
  /** SHA-256 (see `sha256`). */
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  purpose!: LinkPurpose;

  /** The address that it was sent to, and that it proves. */
  @Column('text')
  email!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
