import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ConsentSource, newsletterConsent } from '#libs/contracts';
import { mailboxOf, type MailLimit, RecipientLimits, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { MAIL_SETTINGS, type MailSettings } from '../config.js';
import { MailQueue } from '../mail/mail-queue.js';
import { SiteCopyRepository } from '../site/site-copy.repository.js';
import { confirmationTemplate } from './confirmation-email.js';
import type { SubscriberEntity } from './subscriber.entity.js';
import { SubscriberRepository } from './subscriber.repository.js';
import { consentTextOf } from './subscriber-view.js';
import { confirmUrl } from './newsletter-links.js';

const dayMs = 86_400_000;
const linkValidMs = 7 * dayMs;
const limitedKind = 'confirm-subscription';
/** A mailbox whose owner does not confirm gets no more mails than this, however often the form is sent. */
const limits: readonly MailLimit[] = [
  { of: 'this kind', count: 1, seconds: dayMs / 1000 },
  { of: 'this kind', count: 3, seconds: (90 * dayMs) / 1000 },
];

export interface SignUp {
  source: ConsentSource;
  ip?: string;
  /** Whether the subscriber was inserted in this transaction. */
  isNew?: boolean;
}

@Injectable()
export class ConfirmationMailService {
  constructor(
    private readonly queue: MailQueue,
    private readonly subscribers: SubscriberRepository,
    private readonly site: SiteCopyRepository,
    private readonly recipientLimits: RecipientLimits,
    private readonly clock: Clock,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  /**
   * Makes the subscriber pending, and queues the mail unless the limits of the mailbox forbid it. If they do, a subscriber who is already pending
   * does not change. Subscribed and suppressed ones never change. Lock the subscriber first, and call `wakeMailWorker` after the commit.
   */
  async request(
    tx: EntityManager,
    subscriber: SubscriberEntity,
    { source, ip, isNew = false }: SignUp,
  ): Promise<void> {
    const { status } = subscriber;
    if (status === 'subscribed' || status === 'suppressed') return;
    const now = this.clock.now();
    const mailbox = { key: mailboxOf(subscriber.email), limits };
    const waitSeconds = await this.recipientLimits.countMail(tx, limitedKind, [mailbox], now);
    const mayMail = waitSeconds === 0;
    if (status === 'pending' && !mayMail) return;
    const change: Partial<SubscriberEntity> = {
      status: 'pending',
      consentAt: now,
      consentSource: source,
      consentText: await this.currentConsentText(tx),
      consentIp: ip ?? null,
    };
    if (mayMail)
      await this.queueMail(tx, { ...subscriber, ...change }, new Date(now.getTime() + linkValidMs));
    if (isNew) await this.subscribers.updateNew(tx, subscriber, change);
    else await this.subscribers.update(tx, subscriber, change);
  }

  /** Call it when the owner has confirmed, so that someone who unsubscribes and signs up again gets a mail immediately. */
  async resetLimits(tx: EntityManager, { email }: SubscriberEntity): Promise<void> {
    await this.recipientLimits.deleteCounts(tx, limitedKind, mailboxOf(email));
  }

  wakeMailWorker(): void {
    this.queue.wakeWorker();
  }

  /**
   * The form does not say which text it showed. When the text has just changed, the stored text can differ from the shown one. The page that
   * the link in the mail opens shows the stored text, so that is what the person confirms.
   */
  private async currentConsentText(tx: EntityManager): Promise<string> {
    const [record] = (await this.site.read(tx)).get('newsletter') ?? [];
    return typeof record?.newsletterConsent === 'string' ? record.newsletterConsent : newsletterConsent;
  }

  private async queueMail(tx: EntityManager, subscriber: SubscriberEntity, expiresAt: Date): Promise<void> {
    const round = subscriber.linkRound;
    await this.queue.add(
      tx,
      {
        id: uuidv7(),
        template: 'confirmSubscription',
        params: {
          link: confirmUrl(this.settings.publicUrl, subscriber, { round, expiresAt }),
          expiresAt: expiresAt.toISOString(),
          consent: consentTextOf(subscriber),
        },
        to: subscriber.email,
        notAfter: expiresAt.toISOString(),
        about: subscriber.id,
      },
      confirmationTemplate,
    );
  }
}
