import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who changed the admin list, when, and to what. Outlives the entry it speaks of. */
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

  /** The address after the change; of a deleted entry, its last. */
  @Column('text', { name: 'user_email' })
  userEmail!: string;

  @Column('timestamptz', { name: 'changed_at' })
  changedAt!: Date;

  /** Account id, or null where the configuration made the first admin. */
  @Column('uuid', { name: 'changed_by', nullable: true })
  changedBy!: string | null;
}
