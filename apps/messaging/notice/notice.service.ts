import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError, type Notice, type Order, type OrderFlag } from '#libs/contracts';
import { Inbox, uuidv7 } from '#libs/database';
import { MailQueue, type NewMail } from '../mail/mail-queue.js';
import { MessageEntity } from '../message/message.entity.js';
import { SiteBrand } from '../site/site-brand.js';
import { Colleagues } from './colleagues.js';

/** Tells people what happened, once for each event, unless an admin has switched that off. */
@Injectable()
export class NoticeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly queue: MailQueue,
    private readonly brand: SiteBrand,
    private readonly colleagues: Colleagues,
  ) {}

  /** To the customer. `more` is what the event says beyond the order. */
  async ofOrder(notice: OrderNotice, orderId: string, eventId: string, more: object = {}): Promise<void> {
    const order = await this.order(orderId);
    await this.add(eventId, order ? await this.toCustomer(notice, order, more) : []);
  }

  /** To all admins; to the customer as well, if the order was paid twice. */
  async ofPayment(orderId: string, flags: readonly OrderFlag[], eventId: string): Promise<void> {
    const [order, admins, isOff] = await Promise.all([
      this.order(orderId),
      this.colleagues.admins(),
      this.brand.isOff('paymentFlagged'),
    ]);
    if (!order) return;
    const params = { ...paramsOf(order), flags };
    const toAdmins = admins.map((to) => ({
      template: 'paymentFlagged' as const,
      params,
      to,
      about: orderId,
    }));
    const toCustomer = flags.includes('paid_twice') ? await this.toCustomer('orderPaidTwice', order) : [];
    await this.add(eventId, [...(isOff ? [] : toAdmins), ...toCustomer]);
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
    );
  }

  private async toCustomer(notice: OrderNotice, order: Order, more: object = {}): Promise<PlannedMail[]> {
    // Without an address, the customer has deleted the account.
    if (!order.customerEmail || (await this.brand.isOff(notice))) return [];
    const params = { ...paramsOf(order), ...more };
    return [{ template: notice, params, to: order.customerEmail, about: order._id }];
  }

  private async order(id: string): Promise<Order | undefined> {
    try {
      return await this.colleagues.order(id);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  private async add(eventId: string, mails: readonly PlannedMail[]): Promise<void> {
    await this.inbox.consume('notices', eventId, async (tx) => {
      for (const mail of mails) await this.queue.add(tx, { ...mail, id: uuidv7() });
    });
    this.queue.announce();
  }
}

type OrderNotice = Notice & NewMail['template'];
type PlannedMail = Omit<NewMail, 'id'>;

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
