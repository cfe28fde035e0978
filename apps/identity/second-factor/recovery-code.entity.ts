import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A code that replaces a lost second factor once. */
@Entity('recovery_codes')
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** The raw argon2id hash, without the parameters that it was computed with. */
  @PrimaryColumn('bytea', { name: 'code_hash' })
  codeHash!: Buffer;

  /** The codes of one account share it. */
  @Column('bytea')
  salt!: Buffer;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
