import { Column, Entity, PrimaryColumn } from 'typeorm';

export type LinkPurpose = 'verify-email' | 'reset-password' | 'change-email';

/** A link that was mailed: whoever has it has the mailbox. Known by its token's hash only. */
@Entity('account_links')
export class AccountLinkEntity {
  /** SHA-256. The token has 256 random bits, so a fast hash without salt cannot be searched. */
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  purpose!: LinkPurpose;

  /** The address it was sent to, which following it proves. */
  @Column('text')
  email!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
