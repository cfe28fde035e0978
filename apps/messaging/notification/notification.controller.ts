import { Controller } from '@nestjs/common';
import {
  type EventPayload,
  messageReceived,
  orderCancelled,
  orderDelivered,
  orderPaid,
  orderPaymentFailed,
  orderPlaced,
  orderRefunded,
  paymentFlagged,
} from '#libs/contracts';
import { EventContext, OnEvent } from '#libs/transport';
import { NotificationService } from './notification.service.js';

/** Which mail follows from which event. */
@Controller()
export class NotificationController {
  constructor(private readonly notifications: NotificationService) {}

  @OnEvent(orderPlaced)
  placed({ orderId }: EventPayload<typeof orderPlaced>, { eventId }: EventContext) {
    return this.notifications.aboutOrder('orderPlaced', orderId, eventId);
  }

  @OnEvent(orderPaid)
  paid({ orderId, reason }: EventPayload<typeof orderPaid>, { eventId }: EventContext) {
    return this.notifications.aboutOrder('orderPaid', orderId, eventId, { reason });
  }

  @OnEvent(orderCancelled)
  async cancelled(
    { orderId, paymentState, by }: EventPayload<typeof orderCancelled>,
    { eventId }: EventContext,
  ): Promise<void> {
    // The customer started the dispute. Admins get a mail about the flag.
    if (paymentState === 'disputed') return;
    const template = paymentState === 'refunded' ? 'orderRefunded' : 'orderCancelled';
    await this.notifications.aboutOrder(template, orderId, eventId, { cancelledBy: by });
  }

  @OnEvent(orderRefunded)
  refunded({ orderId, amount }: EventPayload<typeof orderRefunded>, { eventId }: EventContext) {
    return this.notifications.aboutOrder('orderPartlyRefunded', orderId, eventId, { amount });
  }

  @OnEvent(orderPaymentFailed)
  paymentFailed({ orderId }: EventPayload<typeof orderPaymentFailed>, { eventId }: EventContext) {
    return this.notifications.aboutOrder('orderPaymentFailed', orderId, eventId);
  }

  @OnEvent(orderDelivered)
  delivered({ orderId }: EventPayload<typeof orderDelivered>, { eventId }: EventContext) {
    return this.notifications.aboutOrder('orderDelivered', orderId, eventId);
  }

  @OnEvent(paymentFlagged)
  flagged({ orderId, flags }: EventPayload<typeof paymentFlagged>, { eventId }: EventContext) {
    return this.notifications.aboutFlaggedPayment(orderId, flags, eventId);
  }

  @OnEvent(messageReceived)
  message({ messageId }: EventPayload<typeof messageReceived>, { eventId }: EventContext) {
    return this.notifications.aboutMessage(messageId, eventId);
  }
}
