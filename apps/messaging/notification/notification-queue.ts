import { Injectable } from '@nestjs/common';
import { Inbox, mailboxOf, type MailCounter, type MailLimit, RecipientLimits, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { MailQueue, type NewMail } from '../mail/mail-queue.js';
import { type NotificationName, notificationTemplates } from './notification-templates.js';

/**
 * At most this many mails of one kind go to an admin in an hour, because outsiders cause some of them by sending messages or disputing payments.
 * Most mails about orders and monthly plans have a lower limit (`orderMailsPerHour` in `admin-emails.ts`).
 */
export const adminLimits: readonly MailLimit[] = [{ of: 'this kind', count: 60, seconds: 60 * 60 }];

export type NotificationMail = Omit<NewMail, 'id' | 'template'> & {
  template: NotificationName;
  limitedBy?: readonly MailCounter[];
};

export const toAdmin = (
  mail: Omit<NotificationMail, 'to'>,
  to: string,
  limits: readonly MailLimit[],
): NotificationMail => ({ ...mail, to, limitedBy: [{ key: mailboxOf(to), limits }] });

@Injectable()
export class NotificationQueue {
  constructor(
    private readonly inbox: Inbox,
    private readonly queue: MailQueue,
    private readonly recipientLimits: RecipientLimits,
    private readonly clock: Clock,
  ) {}

  /** Leaves out mails that are over one of their limits. Further calls for the same event queue nothing, even if the first one had no mails. */
  async add(eventId: string, mails: readonly NotificationMail[]): Promise<void> {
    // An older name of this consumer. It is stored with every consumed event, so it must not change.
    await this.inbox.consume('notices', eventId, async (tx) => {
      for (const { limitedBy, ...mail } of mails) {
        const waitSeconds = limitedBy
          ? await this.recipientLimits.countMail(tx, mail.template, limitedBy, this.clock.now())
          : 0;
        if (waitSeconds === 0)
          await this.queue.add(tx, { ...mail, id: uuidv7() }, notificationTemplates[mail.template]);
      }
    });
    this.queue.wakeWorker();
  }
}
