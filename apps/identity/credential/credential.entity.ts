import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The password of an account. Accounts that sign in only by other means have none. */
@Entity('credentials')
export class CredentialEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** Argon2id in PHC format, with parameters and salt. */
  @Column('text', { name: 'password_hash' })
  passwordHash!: string;

  @Column('timestamptz', { name: 'changed_at' })
  changedAt!: Date;
}
