import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MailState } from '#libs/contracts';
import type { Mailbox } from '../config.js';

@Entity('mails')
export class MailEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  template!: string;

  @Column('jsonb')
  params!: Record<string, unknown>;

  /** Secrets have been removed from the params. */
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

  /** Mails with a lower number are sent first. */
  @Column('smallint')
  priority!: 0 | 1 | 2;

  @Column('integer')
  attempts!: number;

  /** While the mail is being sent, the end of its lease. */
  @Column('timestamptz', { name: 'next_attempt_at' })
  nextAttemptAt!: Date;

  /** When the link in the mail expires. After that, the mail is cancelled instead of sent. */
  @Column('timestamptz', { name: 'not_after', nullable: true })
  notAfter!: Date | null;

  /** The mail server's last answer, why there was none, or why the mail bounced. */
  @Column('text', { nullable: true })
  answer!: string | null;

  /** Set if an attempt that reached the mail server finished the mail; otherwise null. */
  @Column('text', { nullable: true })
  subject!: string | null;

  @Column('uuid', { name: 'resend_of', nullable: true })
  resendOf!: string | null;

  /** What the mail is about, such as an order's id. */
  @Column('text', { nullable: true })
  about!: string | null;

  @Column('uuid', { name: 'campaign_id', nullable: true })
  campaignId!: string | null;

  /** Whether the mail is deleted a day after it is finished. */
  @Column('boolean')
  forget!: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  @Column('timestamptz', { name: 'bounced_at', nullable: true })
  bouncedAt!: Date | null;
}
