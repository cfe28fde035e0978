import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person's identity at another provider, such as Google, with which they sign in to their account here. */
@Entity('linked_identities')
export class LinkedIdentityEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  issuer!: string;

  /** The person's id at the issuer. */
  @Column('text')
  subject!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at' })
  lastUsedAt!: Date;
}
