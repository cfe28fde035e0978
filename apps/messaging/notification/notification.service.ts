import { Injectable } from '@nestjs/common';
import {
  adminListChanged,
  type AdminMail,
  type AdminNotification,
  type EventPayload,
  formatOrderNumber,
  messageReceived,
  type Order,
  orderCancelled,
  orderContract,
  orderDelivered,
  type OrderFlag,
  orderPaid,
  orderPaymentFailed,
  orderPlaced,
  orderRefunded,
  type Output,
  paymentFlagged,
  paymentReceiverChanged,
  subscriptionChanged,
} from '#libs/contracts';
import { mailboxOf, type MailCounter, type MailLimit } from '#libs/database';
import { type EventContext, OnEvent } from '#libs/transport';
import { MessageRepository } from '../message/message.repository.js';
import { BrandService } from '../site/brand.service.js';
import { isStoppedNews, orderMailsPerHour } from './admin-emails.js';
import { type CustomizableNotification, isRenewal } from './notification-emails.js';
import { adminLimits, type NotificationMail, NotificationQueue, toAdmin } from './notification-queue.js';
import { planNews, planParams } from './plan-emails.js';
import { ServiceClients, undefinedIfNotFound } from './service-clients.js';

/** For mails about orders and monthly plans, except `paymentFlagged`. */
const adminOrderLimits: readonly MailLimit[] = [
  { of: 'this kind', count: orderMailsPerHour, seconds: 60 * 60 },
];

/** Limits all acknowledgements together, so that many messages with many addresses do not become many mails to other people. */
const allSenders: MailCounter = {
  key: 'all senders of messages',
  limits: [{ of: 'this kind', count: 60, seconds: 60 * 60 }],
};

/** A sender may have entered somebody else’s address, so a mailbox gets few acknowledgements. */
const senderLimits: readonly MailLimit[] = [
  { of: 'this kind', count: 1, seconds: 24 * 60 * 60 },
  { of: 'this kind', count: 3, seconds: 30 * 24 * 60 * 60 },
];

type OrderForMail = Output<typeof orderContract.getForService>;
interface AdminOrderMail {
  template: AdminMail;
  notification: AdminNotification;
}

@Injectable()
export class NotificationService {
  constructor(
    private readonly notifications: NotificationQueue,
    private readonly messages: MessageRepository,
    private readonly brand: BrandService,
    private readonly services: ServiceClients,
  ) {}

  @OnEvent(orderPlaced)
  placed({ orderId }: EventPayload<typeof orderPlaced>, { eventId }: EventContext) {
    return this.mailAboutOrder('orderPlaced', orderId, eventId, {
      adminMail: { template: 'adminOrderPlaced', notification: 'newOrders' },
    });
  }

  /** Admins get no mail for the reason `admin`. For `payment_after_cancel`, they get the mail about the flag `paid_after_cancel` instead. */
  @OnEvent(orderPaid)
  paid({ orderId, reason }: EventPayload<typeof orderPaid>, { eventId }: EventContext) {
    return this.mailAboutOrder('orderPaid', orderId, eventId, {
      eventParams: { reason },
      ...((reason === 'payment' || reason === 'dispute_closed') && {
        adminMail: {
          template: 'adminOrderPaid',
          notification: reason === 'dispute_closed' ? 'refunds' : 'payments',
        },
      }),
    });
  }

  @OnEvent(orderCancelled)
  async cancelled(
    { orderId, paymentState, by }: EventPayload<typeof orderCancelled>,
    { eventId }: EventContext,
  ): Promise<void> {
    // The customer started the dispute, so they get no mail. Admins get the mail about the flag `disputed`.
    if (paymentState === 'disputed') return;
    const template = paymentState === 'refunded' ? 'orderRefunded' : 'orderCancelled';
    await this.mailAboutOrder(template, orderId, eventId, { eventParams: { cancelledBy: by } });
  }

  /** A refund that makes the order Cancelled comes as `orderCancelled`; admins then get the mail about the flag `refunded`. */
  @OnEvent(orderRefunded)
  refunded({ orderId, amount }: EventPayload<typeof orderRefunded>, { eventId }: EventContext) {
    return this.mailAboutOrder('orderPartlyRefunded', orderId, eventId, {
      eventParams: { amount },
      adminMail: { template: 'adminOrderRefunded', notification: 'refunds' },
    });
  }

  @OnEvent(orderPaymentFailed)
  paymentFailed({ orderId }: EventPayload<typeof orderPaymentFailed>, { eventId }: EventContext) {
    return this.mailAboutOrder('orderPaymentFailed', orderId, eventId);
  }

  @OnEvent(orderDelivered)
  delivered({ orderId }: EventPayload<typeof orderDelivered>, { eventId }: EventContext) {
    return this.mailAboutOrder('orderDelivered', orderId, eventId);
  }

  /** If the news is no longer true, sends nothing, but consumes the event: if it is delivered again, it sends nothing either. */
  @OnEvent(subscriptionChanged)
  async planChanged(
    { subscriptionId, news }: EventPayload<typeof subscriptionChanged>,
    { eventId }: EventContext,
  ): Promise<void> {
    const { template, holds } = planNews[news];
    const plan = await undefinedIfNotFound(this.services.getPlan(subscriptionId));
    if (!plan || !holds(plan)) return this.notifications.add(eventId, []);
    const params = { ...planParams.parse(plan), accountId: plan.accountId };
    const mail = { params, about: plan._id };
    const [isOff, to] = await Promise.all([
      this.brand.isTemplateOff(template),
      this.services.confirmedEmail(plan.accountId),
    ]);
    const toCustomer = isOff || !to ? [] : [{ ...mail, template, to }];
    const toAdmins = isStoppedNews(news)
      ? await this.toAdmins(
          { ...mail, template: 'adminPlanStopped', params: { ...mail.params, news } },
          { notification: 'payments', limits: adminOrderLimits },
        )
      : [];
    await this.notifications.add(eventId, [...toCustomer, ...toAdmins]);
  }

  /** To the admins who want mails about any of the flags, and to the customer if the order was paid twice. */
  @OnEvent(paymentFlagged)
  async flagged(
    { orderId, flags }: EventPayload<typeof paymentFlagged>,
    { eventId }: EventContext,
  ): Promise<void> {
    const [order, isOff] = await Promise.all([
      undefinedIfNotFound(this.services.getOrder(orderId)),
      this.brand.isTemplateOff('paymentFlagged'),
    ]);
    if (!order) return;
    const mail = {
      template: 'paymentFlagged' as const,
      params: { ...paramsOf(order), flags },
      about: orderId,
    };
    const toAdmins = isOff ? [] : await this.toAdmins(mail, { notification: flags.map(notificationAbout) });
    const toCustomer = flags.includes('paid_twice') ? await this.toCustomer('orderPaidTwice', order) : [];
    await this.notifications.add(eventId, [...toAdmins, ...toCustomer]);
  }

  @OnEvent(messageReceived)
  async messageReceived(
    { messageId }: EventPayload<typeof messageReceived>,
    { eventId }: EventContext,
  ): Promise<void> {
    const [message, isOff, isAcknowledgementOff] = await Promise.all([
      this.messages.find(messageId),
      this.brand.isTemplateOff('messageReceived'),
      this.brand.isTemplateOff('messageAcknowledged'),
    ]);
    if (!message) return;
    const { fullName: name, emailAddress, subject } = message;
    const params = { messageId, name, emailAddress, subject, message: message.message };
    const replyTo = { name, address: emailAddress };
    const about = messageId;
    const toAdmins = isOff
      ? []
      : await this.toAdmins(
          { template: 'messageReceived', params, replyTo, about },
          { notification: 'messages' },
        );
    const toSender: NotificationMail[] = isAcknowledgementOff
      ? []
      : [
          {
            template: 'messageAcknowledged',
            params: {},
            to: emailAddress,
            about,
            limitedBy: [{ key: mailboxOf(emailAddress), limits: senderLimits }, allSenders],
          },
        ];
    await this.notifications.add(eventId, [...toAdmins, ...toSender]);
  }

  /** To all admins, whatever they have switched off. */
  @OnEvent(paymentReceiverChanged)
  async receiverChanged(
    change: EventPayload<typeof paymentReceiverChanged>,
    { eventId, occurredAt }: EventContext,
  ): Promise<void> {
    await this.notifications.add(
      eventId,
      await this.toAdmins({
        template: 'paymentReceiverChanged',
        params: { ...change, at: occurredAt.toISOString() },
      }),
    );
  }

  /** To all admins, whatever they have switched off, and to an admin whom somebody else took off the list (`removedEmail`). */
  @OnEvent(adminListChanged)
  async adminsChanged(
    change: EventPayload<typeof adminListChanged>,
    { eventId, occurredAt }: EventContext,
  ): Promise<void> {
    const mail = {
      template: 'adminListChanged',
      params: { ...change, at: occurredAt.toISOString() },
    } as const;
    const toAdmins = await this.toAdmins(mail);
    const toRemoved = change.removedEmail === null ? [] : [toAdmin(mail, change.removedEmail, adminLimits)];
    await this.notifications.add(eventId, [...toAdmins, ...toRemoved]);
  }

  /** `eventParams` are the params that come from the event, not from the order. */
  private async mailAboutOrder(
    template: CustomizableNotification,
    orderId: string,
    eventId: string,
    { eventParams = {}, adminMail }: { eventParams?: object; adminMail?: AdminOrderMail } = {},
  ): Promise<void> {
    const order = await undefinedIfNotFound(this.services.getOrder(orderId));
    // A customer does not place the order of a renewal.
    if (!order || (template === 'orderPlaced' && isRenewal(order)))
      return this.notifications.add(eventId, []);
    const toCustomer = await this.toCustomer(template, order, eventParams);
    const params = { ...paramsOf(order), ...eventParams };
    const toAdmins = adminMail
      ? await this.toAdmins(
          { template: adminMail.template, params, about: orderId },
          { notification: adminMail.notification, limits: adminOrderLimits },
        )
      : [];
    await this.notifications.add(eventId, [...toCustomer, ...toAdmins]);
  }

  /** Only to a confirmed address: an unconfirmed one may be somebody else's, and the customer chooses some of the text. */
  private async toCustomer(
    template: CustomizableNotification,
    order: OrderForMail,
    eventParams: object = {},
  ): Promise<NotificationMail[]> {
    if (await this.brand.isTemplateOff(template)) return [];
    const to = await this.services.confirmedEmail(order.accountId);
    const params = { ...paramsOf(order), invoices: order.invoices, ...eventParams };
    return to ? [{ template, params, to, about: order._id }] : [];
  }

  /** With `notification`, only to those who have not switched it off. Of several notifications, one that is on is enough. */
  private async toAdmins(
    mail: Omit<NotificationMail, 'to'>,
    {
      notification,
      limits = adminLimits,
    }: { notification?: AdminNotification | AdminNotification[]; limits?: readonly MailLimit[] } = {},
  ): Promise<NotificationMail[]> {
    const notifications = new Set([notification].flat());
    const emails = await Promise.all([...notifications].map((one) => this.services.adminEmails(one)));
    return [...new Set(emails.flat())].map((to) => toAdmin(mail, to, limits));
  }
}

const notificationAbout = (flag: OrderFlag): AdminNotification =>
  flag === 'refunded' || flag === 'disputed' || flag === 'case_opened' ? 'refunds' : 'reviews';

function priceOf({ packagePrice, addedTax }: Order): { price: string; addedTax?: string } {
  const cents = centsIn(addedTax);
  if (cents === 0) return { price: packagePrice };
  const total = centsIn(packagePrice) + cents;
  return { price: (total / 100).toFixed(2), addedTax };
}

const centsIn = (dollars: string) => Math.round(Number(dollars) * 100);

/** The account is stored, so that the mail can be deleted with it, even if the order has an earlier address of the customer. */
function paramsOf(order: OrderForMail): Record<string, unknown> {
  const { paymentStatus, payments, paymentHold, refunded, payable, renewal } = order;
  const chargedAt = payments.find(({ state }) => state === 'received')?.paidAt ?? order.createdAt;
  return {
    renewal: renewal && { ...renewal, chargedAt },
    money: { paymentStatus, payments: payments.map(({ state }) => state), paymentHold, refunded, payable },
    accountId: order.accountId,
    orderId: order._id,
    orderNumber: formatOrderNumber(order),
    name: order.customerName,
    email: order.customerEmail,
    packageName: order.packageName,
    ...priceOf(order),
    orderDate: order.orderDate,
  };
}
