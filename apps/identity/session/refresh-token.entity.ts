import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Only the hash is stored. Rotated tokens are kept until they would have expired, to detect reuse. */
@Entity('refresh_tokens')
export class RefreshTokenEntity {
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'rotated_at', nullable: true })
  rotatedAt!: Date | null;
}
