import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError, type Notice, type Order, type OrderFlag } from '#libs/contracts';
import { Inbox, mailboxOf, type MailLimit, RecipientLimits, uuidv7 } from '#libs/database';
import { MailQueue, type NewMail } from '../mail/mail-queue.js';
import { MessageEntity } from '../message/message.entity.js';
import { SiteBrand } from '../site/site-brand.js';
import { Colleagues } from '../colleagues.js';

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

  /** To the customer. `more` is what the event says beyond the order. */
  async ofOrder(notice: OrderNotice, orderId: string, eventId: string, more: object = {}): Promise<void> {
    const order = await this.order(orderId);
    await this.add(eventId, order ? await this.toCustomer(notice, order, more) : []);
  }

  /** To all admins; to the customer as well, if the order was paid twice. */
  async ofPayment(orderId: string, flags: readonly OrderFlag[], eventId: string): Promise<void> {
    const [order, isOff] = await Promise.all([this.order(orderId), this.brand.isOff('paymentFlagged')]);
    if (!order) return;
    const mail = {
      template: 'paymentFlagged' as const,
      params: { ...paramsOf(order), flags },
      about: orderId,
    };
    const toAdmins = isOff ? [] : await this.toAdmins(mail);
    const toCustomer = flags.includes('paid_twice') ? await this.toCustomer('orderPaidTwice', order) : [];
    await this.add(eventId, [...toAdmins, ...toCustomer]);
  }

  /** To all admins, whose answer goes to the sender. */
  async ofMessage(messageId: string, eventId: string): Promise<void> {
    if (await this.brand.isOff('messageReceived')) return;
    const message = await this.dataSource.manager.findOneBy(MessageEntity, { id: messageId });
    if (!message) return;
    const { fullName: name, emailAddress, subject } = message;
    const params = { messageId, name, emailAddress, subject, message: message.message };
    const replyTo = { name, address: emailAddress };
    await this.add(
      eventId,
      await this.toAdmins({ template: 'messageReceived', params, replyTo, about: messageId }),
    );
  }

  /**
   * Goes to the account's address once it is confirmed. An unconfirmed address may be a stranger's, and customers choose some of the
   * mail's words.
   */
  private async toCustomer(notice: OrderNotice, order: ToldOrder, more: object = {}): Promise<PlannedMail[]> {
    if (await this.brand.isOff(notice)) return [];
    const to = await this.colleagues.confirmedEmail(order.accountId);
    const params = { ...paramsOf(order), ...more };
    return to ? [{ template: notice, params, to, about: order._id }] : [];
  }

  private async toAdmins(mail: Omit<PlannedMail, 'to'>): Promise<PlannedMail[]> {
    const admins = await this.colleagues.admins();
    return admins.map((to) => ({ ...mail, to, limits: adminLimits }));
  }

  private async order(id: string): Promise<ToldOrder | undefined> {
    try {
      return await this.colleagues.order(id);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Leaves out mails that their limits do not permit. */
  private async add(eventId: string, mails: readonly PlannedMail[]): Promise<void> {
    await this.inbox.consume('notices', eventId, async (tx) => {
      for (const { limits, ...mail } of mails) {
        const mailbox = limits && { subject: mailboxOf(mail.to), limits };
        const isTooMany =
          mailbox && (await this.recipients.count(tx, mail.template, [mailbox], new Date())) > 0;
        if (!isTooMany) await this.queue.add(tx, { ...mail, id: uuidv7() });
      }
    });
    this.queue.announce();
  }
}

type OrderNotice = Notice & NewMail['template'];
type ToldOrder = Order & { accountId: string };
type PlannedMail = Omit<NewMail, 'id'> & { limits?: readonly MailLimit[] };

function paramsOf(order: Order): Record<string, unknown> {
  const { paymentStatus, payments, paymentHold, refunded, payable } = order;
  return {
    money: { paymentStatus, payments: payments.map(({ state }) => state), paymentHold, refunded, payable },
    orderId: order._id,
    name: order.customerName,
    email: order.customerEmail,
    packageName: order.packageName,
    price: order.packagePrice,
    orderDate: order.orderDate,
  };
}
