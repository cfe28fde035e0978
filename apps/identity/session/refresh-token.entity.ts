import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A refresh token; only its hash is stored. Rotated ones are kept until they would have expired, to detect reuse. */
@Entity('refresh_tokens')
export class RefreshTokenEntity {
  /** SHA-256 (see `sha256`). */
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'rotated_at', nullable: true })
  rotatedAt!: Date | null;
}
