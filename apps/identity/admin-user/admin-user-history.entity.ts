import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Kept after the admin user is deleted. */
@Entity('admin_user_history')
export class AdminUserHistoryEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'admin_user_id' })
  adminUserId!: string;

  @Column('integer')
  version!: number;

  @Column('text')
  change!: 'created' | 'updated' | 'deleted' | 'restored';

  /** After the change; for a deletion, before it. */
  @Column('text', { name: 'user_email' })
  userEmail!: string;

  @Column('timestamptz', { name: 'changed_at' })
  changedAt!: Date;

  /** An account's id; null for the first admin, whom the settings name, and for our own processes. */
  @Column('uuid', { name: 'changed_by', nullable: true })
  changedBy!: string | null;
}
