import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError, type Notice, type Order, type OrderFlag } from '#libs/contracts';
import { Inbox, mailboxOf, type MailLimit, RecipientLimits, uuidv7 } from '#libs/database';
import { MailQueue, type NewMail } from '../mail/mail-queue.js';
import { MessageEntity } from '../message/message.entity.js';
import { SiteBrand } from '../site/site-brand.js';
import { Colleagues } from './colleagues.js';

/** Whoever writes messages or disputes payments decides how many mails admins get: the rest of an hour is in their lists. */
const adminLimits: readonly MailLimit[] = [{ of: 'this kind', count: 60, seconds: 60 * 60 }];

/** Tells people what happened, once for each event, unless an admin has switched that off. */
@Injectable()
export class NoticeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly queue: MailQueue,
    private readonly brand: SiteBrand,
    private readonly colleagues: Colleagues,
    private readonly recipients: RecipientLimits,
  ) {}

  /**
   * To the customer, at the account's address once it is confirmed. An unconfirmed one may be a stranger's, and a customer chooses some of the
   * mail's words.
   */
  async ofOrder(notice: Notice & NewMail['template'], orderId: string, eventId: string): Promise<void> {
    if (await this.brand.isOff(notice)) return;
    const order = await this.order(orderId);
    const to = order && (await this.colleagues.confirmedEmail(order.accountId));
    if (!to) return;
    await this.add(eventId, [{ template: notice, params: paramsOf(order), to, about: orderId }]);
  }

  /** To all admins. */
  async ofPayment(orderId: string, flags: readonly OrderFlag[], eventId: string): Promise<void> {
    if (await this.brand.isOff('paymentFlagged')) return;
    const [order, admins] = await Promise.all([this.order(orderId), this.colleagues.admins()]);
    if (!order) return;
    const params = { ...paramsOf(order), flags };
    await this.add(
      eventId,
      admins.map((to) => ({ template: 'paymentFlagged' as const, params, to, about: orderId })),
      adminLimits,
    );
  }

  /** To all admins, whose answer goes to the sender. */
  async ofMessage(messageId: string, eventId: string): Promise<void> {
    if (await this.brand.isOff('messageReceived')) return;
    const [message, admins] = await Promise.all([
      this.dataSource.manager.findOneBy(MessageEntity, { id: messageId }),
      this.colleagues.admins(),
    ]);
    if (!message) return;
    const { fullName: name, emailAddress, subject } = message;
    const params = { messageId, name, emailAddress, subject, message: message.message };
    const replyTo = { name, address: emailAddress };
    await this.add(
      eventId,
      admins.map((to) => ({ template: 'messageReceived' as const, params, to, replyTo, about: messageId })),
      adminLimits,
    );
  }

  private async order(id: string): Promise<(Order & { accountId: string }) | undefined> {
    try {
      return await this.colleagues.order(id);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Leaves out mails that `limits`, if any, do not permit. */
  private async add(
    eventId: string,
    mails: readonly Omit<NewMail, 'id'>[],
    limits?: readonly MailLimit[],
  ): Promise<void> {
    await this.inbox.consume('notices', eventId, async (tx) => {
      for (const mail of mails) {
        const mailbox = limits && { subject: mailboxOf(mail.to), limits };
        const isTooMany =
          mailbox && (await this.recipients.count(tx, mail.template, [mailbox], new Date())) > 0;
        if (!isTooMany) await this.queue.add(tx, { ...mail, id: uuidv7() });
      }
    });
    this.queue.announce();
  }
}

function paramsOf(order: Order): Record<string, unknown> {
  return {
    orderId: order._id,
    name: order.customerName,
    email: order.customerEmail,
    packageName: order.packageName,
    price: order.packagePrice,
    orderDate: order.orderDate,
  };
}
