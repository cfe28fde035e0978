import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An address whose verified holder is an admin. The address may have no account yet. */
@Entity('admin_users')
export class AdminUserEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { name: 'user_email' })
  userEmail!: string;

  @Column('text', { name: 'email_normalized' })
  emailNormalized!: string;

  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
