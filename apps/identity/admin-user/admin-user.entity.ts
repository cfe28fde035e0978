import { Column, Entity } from 'typeorm';
import { VersionedRecord } from '#libs/database';

/** An address whose account is an admin's, once it is verified. There may be no such account yet. */
@Entity('admin_users')
export class AdminUserEntity extends VersionedRecord {
  @Column('text', { name: 'user_email' })
  userEmail!: string;

  @Column('text', { name: 'email_normalized' })
  emailNormalized!: string;
}
