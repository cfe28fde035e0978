import { Column, Entity, PrimaryColumn } from 'typeorm';

export type LinkPurpose = 'verify-email' | 'reset-password' | 'change-email';

/** Only the hash of its token is stored. */
@Entity('account_links')
export class MailedLinkEntity {
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  purpose!: LinkPurpose;

  /** Where the link is sent. Following it proves access to this mailbox. */
  @Column('text')
  email!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
