import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MailState } from '#libs/contracts';
import type { Mailbox } from './mail-settings.js';

/** A mail that goes out, or went. Written by `MailQueue`; this is how the list of them is read. */
@Entity('mails')
export class MailEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  template!: string;

  @Column('jsonb')
  params!: Record<string, unknown>;

  @Column('boolean', { name: 'params_blanked' })
  paramsBlanked!: boolean;

  @Column('text', { name: 'to_address' })
  to!: string;

  @Column('jsonb', { name: 'reply_to', nullable: true })
  replyTo!: Mailbox | null;

  @Column('text', { name: 'message_id' })
  messageId!: string;

  @Column('text')
  state!: MailState;

  @Column('integer')
  attempts!: number;

  @Column('timestamptz', { name: 'next_attempt_at' })
  nextAttemptAt!: Date;

  @Column('text', { nullable: true })
  answer!: string | null;

  @Column('text', { nullable: true })
  subject!: string | null;

  @Column('uuid', { name: 'resend_of', nullable: true })
  resendOf!: string | null;

  @Column('text', { nullable: true })
  about!: string | null;

  @Column('uuid', { name: 'campaign_id', nullable: true })
  campaignId!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  @Column('timestamptz', { name: 'bounced_at', nullable: true })
  bouncedAt!: Date | null;
}
