import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ConsentSource, newsletterConsent } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { MailQueue } from '../mail/mail-queue.js';
import { MAIL_SETTINGS, type MailSettings } from '../mail/mail-settings.js';
import { SiteCopy } from '../site/site-copy.js';
import { SubscriberEntity } from './subscriber.entity.js';
import { consentOf } from './subscriber-view.js';
import { confirmUrl } from './subscription-links.js';

const day = 86_400_000;
/** How long the link works. */
const linkMs = 7 * day;
/** Whoever does not confirm gets a mail a day, and three in all, however often the form is sent; after a quarter it is counted anew. */
const pauseMs = day;
const mailsAtMost = 3;
const countedMs = 90 * day;

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
    const asks = mayAsk(subscriber, now);
    if (status === 'pending' && !asks) return;
    const change: Partial<SubscriberEntity> = {
      status: 'pending',
      consentAt: now,
      consentSource: source,
      consentText: await this.consentNow(tx),
      consentIp: ip ?? null,
      ...(!isNew && { updatedAt: now, version: subscriber.version + 1 }),
    };
    if (asks) {
      change.confirmationsSent = isLongAgo(subscriber, now) ? 1 : subscriber.confirmationsSent + 1;
      change.confirmationSentAt = now;
      await this.send(tx, { ...subscriber, ...change }, new Date(now.getTime() + linkMs));
    }
    await tx.update(SubscriberEntity, subscriber.id, change);
    Object.assign(subscriber, change);
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

function mayAsk(subscriber: SubscriberEntity, now: Date): boolean {
  const { confirmationSentAt: last, confirmationsSent } = subscriber;
  if (!last || isLongAgo(subscriber, now)) return true;
  return now.getTime() - last.getTime() >= pauseMs && confirmationsSent < mailsAtMost;
}

const isLongAgo = ({ confirmationSentAt: last }: SubscriberEntity, now: Date) =>
  last !== null && now.getTime() - last.getTime() >= countedMs;
