import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The authenticator app of an account. It is asked for only after it has been confirmed with one of its codes. */
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

  /** The time step (RFC 6238) of the last code that was used; 0 before the first. The driver reads a bigint as a string. */
  @Column('bigint', { name: 'last_step' })
  lastStep!: string;
}
