import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type CheckoutForm, type HandlerInput, type Output, paymentContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { PaymentAttemptService } from './attempt/payment-attempt.service.js';
import { PaymentReturnService } from './attempt/payment-return.service.js';
import { PaymentNotificationIntakeService } from './notification/payment-notification-intake.service.js';

@Controller()
export class PaymentController {
  constructor(
    private readonly attempts: PaymentAttemptService,
    private readonly returns: PaymentReturnService,
    private readonly intake: PaymentNotificationIntakeService,
  ) {}

  @Handles(paymentContract.startAttempt)
  start(
    @Payload() { id }: HandlerInput<typeof paymentContract.startAttempt>,
    @Ctx() context: RequestContext,
  ): Promise<CheckoutForm> {
    return this.attempts.start(id, context);
  }

  @Handles(paymentContract.returned)
  returned(
    @Payload() input: HandlerInput<typeof paymentContract.returned>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof paymentContract.returned>> {
    return this.returns.returned(input, context);
  }

  @Handles(paymentContract.receiveNotification)
  async receive(
    @Payload() { body, ...notification }: HandlerInput<typeof paymentContract.receiveNotification>,
    @Ctx() { traceparent }: RequestContext,
  ): Promise<Output<typeof paymentContract.receiveNotification>> {
    const received = { ...notification, body: Buffer.from(body, 'base64'), traceparent };
    return { stored: await this.intake.receive(received) };
  }
}
