import { Column, Entity } from 'typeorm';
import type { MessageStatus } from '#libs/contracts';
import { VersionedRecord } from '#libs/database';

/** What a visitor wrote through the contact form, as written. */
@Entity('messages')
export class MessageEntity extends VersionedRecord {
  @Column('text', { name: 'full_name' })
  fullName!: string;

  @Column('text', { name: 'email_address' })
  emailAddress!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  message!: string;

  @Column('text', { name: 'message_status' })
  messageStatus!: MessageStatus;

  /** What lists are sorted by: the beginning of the name without letter case. Made by the database. */
  @Column({ type: 'text', name: 'name_sorted', insert: false, update: false })
  nameSorted!: string;
}
