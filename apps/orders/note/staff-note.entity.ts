import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Never changed, except for `author` when the author's account is deleted. */
@Entity('staff_notes')
export class StaffNoteEntity {
  /** A UUIDv7: notes sort by it. */
  @PrimaryColumn('uuid')
  id!: string;

  /** The customer. */
  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** Null for a note about the customer. */
  @Column('uuid', { name: 'order_id', nullable: true })
  orderId!: string | null;

  @Column('text')
  text!: string;

  /** An e-mail address; 'a former admin' after the account was deleted. */
  @Column('text')
  author!: string;

  @Column('uuid', { name: 'author_account' })
  authorAccount!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
