import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('linked_identities')
export class LinkedIdentityEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at' })
  lastUsedAt!: Date;
}
