import { Column, Entity } from 'typeorm';
import type { ConsentSource, SubscriberStatus } from '#libs/contracts';
import { VersionedRecord } from '#libs/database';

/** An address for which the newsletter was asked, and what came of that. */
@Entity('subscribers')
export class SubscriberEntity extends VersionedRecord {
  /** As it was first written. */
  @Column('text')
  email!: string;

  @Column('text', { name: 'email_normalized' })
  emailNormalized!: string;

  /** What lists are sorted by: the beginning of the address without letter case. Made by the database. */
  @Column({ type: 'text', name: 'email_sorted', insert: false, update: false })
  emailSorted!: string;

  /** Only who is `subscribed` gets the newsletter. */
  @Column('text')
  status!: SubscriberStatus;

  /** What this person's links are made from (`subscription-links.ts`). Made by the database. */
  @Column({ type: 'text', name: 'link_secret', insert: false, update: false })
  linkSecret!: string;

  /** One more at each unsubscribing: links to confirm that were made before no longer work. */
  @Column('integer', { name: 'link_round' })
  linkRound!: number;

  @Column('timestamptz', { name: 'consent_at', nullable: true })
  consentAt!: Date | null;

  @Column('text', { name: 'consent_source', nullable: true })
  consentSource!: ConsentSource | null;

  /** What the person was shown, or where an admin says that consent was given. Null where nobody kept it. */
  @Column('text', { name: 'consent_text', nullable: true })
  consentText!: string | null;

  @Column('text', { name: 'consent_ip', nullable: true })
  consentIp!: string | null;

  @Column('timestamptz', { name: 'confirmed_at', nullable: true })
  confirmedAt!: Date | null;

  @Column('text', { name: 'confirmed_ip', nullable: true })
  confirmedIp!: string | null;

  @Column('timestamptz', { name: 'unsubscribed_at', nullable: true })
  unsubscribedAt!: Date | null;

  @Column('timestamptz', { name: 'suppressed_at', nullable: true })
  suppressedAt!: Date | null;

  /** What the other mail server said. */
  @Column('text', { name: 'suppressed_reason', nullable: true })
  suppressedReason!: string | null;

  /** What it is again once the suppression is lifted; null unless suppressed. */
  @Column('text', { name: 'status_unsuppressed', nullable: true })
  statusUnsuppressed!: Exclude<SubscriberStatus, 'suppressed'> | null;
}
