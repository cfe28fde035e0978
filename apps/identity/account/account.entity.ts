import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person who can sign in. How they prove who they are lives beside it (`credentials`). */
@Entity('accounts')
export class AccountEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  /** As it was typed. */
  @Column('text')
  email!: string;

  /** What makes an address unique: the same without letter case. */
  @Column('text', { name: 'email_normalized' })
  emailNormalized!: string;

  /** Only a verified address can make its holder an admin. */
  @Column('boolean', { name: 'email_verified' })
  emailVerified!: boolean;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
