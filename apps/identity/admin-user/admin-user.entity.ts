import { Column, Entity } from 'typeorm';
import { VersionedRecord } from '#libs/database';

/** An address whose verified holder is an admin. The address may have no account yet. */
@Entity('admin_users')
export class AdminUserEntity extends VersionedRecord {
  @Column('text', { name: 'user_email' })
  userEmail!: string;

  @Column('text', { name: 'email_normalized' })
  emailNormalized!: string;
}
