import { Injectable } from '@nestjs/common';
import { Inbox, mailboxOf, type MailLimit, type MailSubject, RecipientLimits, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { MailQueue, type NewMail } from '../mail/mail-queue.js';
import { type NotificationName, notificationTemplates } from './notification-templates.js';

/**
 * How many mails of one kind an admin gets in an hour. There is a limit because strangers can cause some of them by sending messages or
 * disputing payments. Admins find what was not mailed in their lists.
 */
export const adminLimits: readonly MailLimit[] = [{ of: 'this kind', count: 60, seconds: 60 * 60 }];

export type Notification = Omit<NewMail, 'id' | 'template'> & {
  template: NotificationName;
  /** The limits that it counts towards. */
  counted?: readonly MailSubject[];
};

export const toAdmin = (
  mail: Omit<Notification, 'to'>,
  to: string,
  limits: readonly MailLimit[],
): Notification => ({ ...mail, to, counted: [{ subject: mailboxOf(to), limits }] });

/** Queues the mails that an event causes, once for each event. */
@Injectable()
export class NotificationQueue {
  constructor(
    private readonly inbox: Inbox,
    private readonly queue: MailQueue,
    private readonly recipientLimits: RecipientLimits,
    private readonly clock: Clock,
  ) {}

  /** Leaves out mails that their limits do not permit. */
  async add(eventId: string, mails: readonly Notification[]): Promise<void> {
    // The consumer's name is stored with every event that it has consumed, so it keeps an older word.
    await this.inbox.consume('notices', eventId, async (tx) => {
      for (const { counted, ...mail } of mails) {
        const isOverLimit =
          counted && (await this.recipientLimits.count(tx, mail.template, counted, this.clock.now())) > 0;
        if (!isOverLimit)
          await this.queue.add(tx, { ...mail, id: uuidv7() }, notificationTemplates[mail.template]);
      }
    });
    this.queue.announce();
  }
}
