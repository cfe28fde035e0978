import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Failed sign-ins of one account from one client network, whether or not that account exists. */
@Entity('sign_in_attempts')
export class SignInAttemptEntity {
  /** SHA-256 of the normalized address, because what people type may be anything. */
  @PrimaryColumn('bytea', { name: 'email_hash' })
  emailHash!: Buffer;

  /** The client network (`clientNetwork`). */
  @PrimaryColumn('text')
  address!: string;

  @Column('integer')
  failures!: number;

  @Column('timestamptz', { name: 'last_attempt_at' })
  lastAttemptAt!: Date;

  @Column('timestamptz', { name: 'blocked_until' })
  blockedUntil!: Date;
}
