import { Column, Entity, PrimaryColumn } from 'typeorm';

/** People are asked for codes only after a first code has confirmed the app. */
@Entity('totp_factors')
export class TotpFactorEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** In base32, encrypted with `KEY_ENCRYPTION_SECRET` if that was set when it was stored. */
  @Column('text')
  secret!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'confirmed_at', nullable: true })
  confirmedAt!: Date | null;

  /** The time step of the last code that was used (RFC 6238); 0 before the first. The driver reads a bigint as a string. */
  @Column('bigint', { name: 'last_step' })
  lastStep!: string;
}
