import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ConsentSource, newsletterConsent } from '#libs/contracts';
import { mailboxOf, type MailLimit, RecipientLimits, uuidv7 } from '#libs/database';
import { MailQueue } from '../mail/mail-queue.js';
import { MAIL_SETTINGS, type MailSettings } from '../mail/mail-settings.js';
import { SiteCopy } from '../site/site-copy.js';
import { SubscriberEntity } from './subscriber.entity.js';
import { consentOf } from './subscriber-view.js';
import { confirmUrl } from './subscription-links.js';

const day = 86_400_000;
/** How long the link works. */
const linkMs = 7 * day;
/** Whoever does not confirm gets at most a mail a day and three in 90 days, however often the form is sent. */
const kind = 'confirm-subscription';
const limits: readonly MailLimit[] = [
  { of: 'this kind', count: 1, seconds: day / 1000 },
  { of: 'this kind', count: 3, seconds: (90 * day) / 1000 },
];

/** Where a sign-up came from. */
export interface SignUp {
  source: ConsentSource;
  ip?: string;
  /** The record was made for it just now. */
  isNew?: boolean;
}

/** Asks the owner of an address, by a mail, whether they want the newsletter. */
@Injectable()
export class ConfirmationMails {
  constructor(
    private readonly queue: MailQueue,
    private readonly site: SiteCopy,
    private readonly recipients: RecipientLimits,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  /**
   * Makes a subscriber who is not subscribed pending, and asks, unless that was done lately or often enough. Of who is subscribed or
   * suppressed nothing changes. The record is locked by the caller, who announces after the commit.
   */
  async ask(
    tx: EntityManager,
    subscriber: SubscriberEntity,
    { source, ip, isNew = false }: SignUp,
  ): Promise<void> {
    const { status } = subscriber;
    if (status === 'subscribed' || status === 'suppressed') return;
    const now = new Date();
    const mailbox = { subject: mailboxOf(subscriber.email), limits };
    const asks = (await this.recipients.count(tx, kind, [mailbox], now)) === 0;
    if (status === 'pending' && !asks) return;
    const change: Partial<SubscriberEntity> = {
      status: 'pending',
      consentAt: now,
      consentSource: source,
      consentText: await this.consentNow(tx),
      consentIp: ip ?? null,
      ...(!isNew && { updatedAt: now, version: subscriber.version + 1 }),
    };
    if (asks) await this.send(tx, { ...subscriber, ...change }, new Date(now.getTime() + linkMs));
    await tx.update(SubscriberEntity, subscriber.id, change);
    Object.assign(subscriber, change);
  }

  /** Resets the limit once the owner has confirmed, so that someone who unsubscribes and signs up again gets a confirmation mail at once. */
  async confirmed(tx: EntityManager, { email }: SubscriberEntity): Promise<void> {
    await this.recipients.forget(tx, kind, mailboxOf(email));
  }

  announce(): void {
    this.queue.announce();
  }

  /** What stands at the form. */
  private async consentNow(tx: EntityManager): Promise<string> {
    const [words] = (await this.site.read(tx)).get('newsletter') ?? [];
    return typeof words?.newsletterConsent === 'string' ? words.newsletterConsent : newsletterConsent;
  }

  private async send(tx: EntityManager, subscriber: SubscriberEntity, expiresAt: Date): Promise<void> {
    const round = subscriber.linkRound;
    await this.queue.add(tx, {
      id: uuidv7(),
      template: 'confirmSubscription',
      params: {
        link: confirmUrl(this.settings.publicUrl, subscriber, { round, expiresAt }),
        expiresAt: expiresAt.toISOString(),
        consent: consentOf(subscriber),
      },
      to: subscriber.email,
      notAfter: expiresAt.toISOString(),
      about: subscriber.id,
    });
  }
}
