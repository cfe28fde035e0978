import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('recovery_codes')
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** Raw argon2id. */
  @PrimaryColumn('bytea', { name: 'code_hash' })
  codeHash!: Buffer;

  /** The codes of one account share it, and the cost of their hashes. */
  @Column('bytea')
  salt!: Buffer;

  /** Null for a code of an earlier release, whose cost is not known: it is checked at the cost in the settings. */
  @Column('integer', { name: 'memory_kib', nullable: true })
  memoryKiB!: number | null;

  @Column('integer', { nullable: true })
  passes!: number | null;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
