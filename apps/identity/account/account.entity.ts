import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person who can sign in. Passwords and other credentials are in separate tables. */
@Entity('accounts')
export class AccountEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  /** As entered, in its original letter case. */
  @Column('text')
  email!: string;

  /** The address in lower case, which is unique. */
  @Column('text', { name: 'email_normalized' })
  emailNormalized!: string;

  /** Only a verified address can make its owner an admin. */
  @Column('boolean', { name: 'email_verified' })
  emailVerified!: boolean;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
