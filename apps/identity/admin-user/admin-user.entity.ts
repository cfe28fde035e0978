import { Column, Entity } from 'typeorm';
import { VersionedRecord } from '#libs/database';

/** There may be no account with the address yet, or none that has verified it. */
@Entity('admin_users')
export class AdminUserEntity extends VersionedRecord {
  @Column('text', { name: 'user_email' })
  userEmail!: string;

  @Column('text', { name: 'email_normalized' })
  emailNormalized!: string;
}
