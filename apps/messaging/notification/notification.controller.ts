import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
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
  placed(@Payload() { orderId }: EventPayload<typeof orderPlaced>, @Ctx() { eventId }: EventContext) {
    return this.notifications.aboutOrder('orderPlaced', orderId, eventId);
  }

  @OnEvent(orderPaid)
  paid(@Payload() { orderId, reason }: EventPayload<typeof orderPaid>, @Ctx() { eventId }: EventContext) {
    return this.notifications.aboutOrder('orderPaid', orderId, eventId, { reason });
  }

  @OnEvent(orderCancelled)
  async cancelled(
    @Payload() { orderId, paymentState, by }: EventPayload<typeof orderCancelled>,
    @Ctx() { eventId }: EventContext,
  ): Promise<void> {
    // The customer started the dispute. Admins get a mail about the flag.
    if (paymentState === 'disputed') return;
    const template = paymentState === 'refunded' ? 'orderRefunded' : 'orderCancelled';
    await this.notifications.aboutOrder(template, orderId, eventId, { cancelledBy: by });
  }

  @OnEvent(orderRefunded)
  refunded(
    @Payload() { orderId, amount }: EventPayload<typeof orderRefunded>,
    @Ctx() { eventId }: EventContext,
  ) {
    return this.notifications.aboutOrder('orderPartlyRefunded', orderId, eventId, { amount });
  }

  @OnEvent(orderPaymentFailed)
  paymentFailed(
    @Payload() { orderId }: EventPayload<typeof orderPaymentFailed>,
    @Ctx() { eventId }: EventContext,
  ) {
    return this.notifications.aboutOrder('orderPaymentFailed', orderId, eventId);
  }

  @OnEvent(orderDelivered)
  delivered(@Payload() { orderId }: EventPayload<typeof orderDelivered>, @Ctx() { eventId }: EventContext) {
    return this.notifications.aboutOrder('orderDelivered', orderId, eventId);
  }

  @OnEvent(paymentFlagged)
  flagged(
    @Payload() { orderId, flags }: EventPayload<typeof paymentFlagged>,
    @Ctx() { eventId }: EventContext,
  ) {
    return this.notifications.aboutFlaggedPayment(orderId, flags, eventId);
  }

  @OnEvent(messageReceived)
  message(@Payload() { messageId }: EventPayload<typeof messageReceived>, @Ctx() { eventId }: EventContext) {
    return this.notifications.aboutMessage(messageId, eventId);
  }
}
