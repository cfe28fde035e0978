import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link with which anyone can read the report of a project. */
@Entity('report_links')
export class ReportLinkEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'project_id' })
  projectId!: string;

  /** SHA-256 of the token in the link. */
  @Column('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  /** For whom the link was made; may be empty. */
  @Column('text')
  label!: string;

  /** Null once that account is deleted. */
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** When it was last opened. */
  @Column('timestamptz', { name: 'opened_at', nullable: true })
  openedAt: Date | null = null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null = null;
}
