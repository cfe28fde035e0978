import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody who asked for the newsletter. */
@Entity('subscribers')
export class SubscriberEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** As it was first written. */
  @Column('text')
  email!: string;

  @Column('text', { name: 'email_normalized' })
  emailNormalized!: string;

  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  /** What lists are sorted by: the beginning of the address without letter case. Made by the database. */
  @Column({ type: 'text', name: 'email_sorted', insert: false, update: false })
  emailSorted!: string;
}
