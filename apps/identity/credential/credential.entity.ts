import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The password of an account. An account that signs in otherwise has none. */
@Entity('credentials')
export class CredentialEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** Argon2id in PHC form, parameters and salt included. */
  @Column('text', { name: 'password_hash' })
  passwordHash!: string;

  @Column('timestamptz', { name: 'changed_at' })
  changedAt!: Date;
}
