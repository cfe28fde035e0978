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

  /** The account that made the change, or that sent the accepted invitation. Null if no person did, as when the settings name the first admin. */
  @Column('uuid', { name: 'changed_by', nullable: true })
  changedBy!: string | null;
}
