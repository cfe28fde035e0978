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
import { NoticeService } from './notice.service.js';

/** What happened, to the notice that tells of it. */
@Controller()
export class NoticeController {
  constructor(private readonly notices: NoticeService) {}

  @OnEvent(orderPlaced)
  placed(@Payload() { orderId }: EventPayload<typeof orderPlaced>, @Ctx() { eventId }: EventContext) {
    return this.notices.ofOrder('orderPlaced', orderId, eventId);
  }

  @OnEvent(orderPaid)
  paid(@Payload() { orderId, reason }: EventPayload<typeof orderPaid>, @Ctx() { eventId }: EventContext) {
    return this.notices.ofOrder('orderPaid', orderId, eventId, { reason });
  }

  @OnEvent(orderCancelled)
  async cancelled(
    @Payload() { orderId, paymentState, by }: EventPayload<typeof orderCancelled>,
    @Ctx() { eventId }: EventContext,
  ): Promise<void> {
    // Of a dispute the customer knows: admins are told.
    if (paymentState === 'disputed') return;
    const notice = paymentState === 'refunded' ? 'orderRefunded' : 'orderCancelled';
    await this.notices.ofOrder(notice, orderId, eventId, { cancelledBy: by });
  }

  @OnEvent(orderRefunded)
  refunded(
    @Payload() { orderId, amount }: EventPayload<typeof orderRefunded>,
    @Ctx() { eventId }: EventContext,
  ) {
    return this.notices.ofOrder('orderPartlyRefunded', orderId, eventId, { amount });
  }

  @OnEvent(orderPaymentFailed)
  paymentFailed(
    @Payload() { orderId }: EventPayload<typeof orderPaymentFailed>,
    @Ctx() { eventId }: EventContext,
  ) {
    return this.notices.ofOrder('orderPaymentFailed', orderId, eventId);
  }

  @OnEvent(orderDelivered)
  delivered(@Payload() { orderId }: EventPayload<typeof orderDelivered>, @Ctx() { eventId }: EventContext) {
    return this.notices.ofOrder('orderDelivered', orderId, eventId);
  }

  @OnEvent(paymentFlagged)
  flagged(
    @Payload() { orderId, flags }: EventPayload<typeof paymentFlagged>,
    @Ctx() { eventId }: EventContext,
  ) {
    return this.notices.ofPayment(orderId, flags, eventId);
  }

  @OnEvent(messageReceived)
  message(@Payload() { messageId }: EventPayload<typeof messageReceived>, @Ctx() { eventId }: EventContext) {
    return this.notices.ofMessage(messageId, eventId);
  }
}
