import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** As entered, in its original letter case. */
  @Column('text')
  email!: string;

  /** Unique. */
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
