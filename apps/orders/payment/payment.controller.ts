import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, paymentContract as contract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { PaymentAttemptService } from './attempt/payment-attempt.service.js';
import { PaymentReturnService } from './attempt/payment-return.service.js';
import { PaymentNotificationIntakeService } from './notification/payment-notification-intake.service.js';

type Input<Name extends keyof typeof contract> = HandlerInput<(typeof contract)[Name]>;

@Controller()
export class PaymentController {
  constructor(
    private readonly attempts: PaymentAttemptService,
    private readonly returns: PaymentReturnService,
    private readonly intake: PaymentNotificationIntakeService,
  ) {}

  @Handles(contract.startAttempt)
  start(@Payload() { id }: Input<'startAttempt'>, @Ctx() context: RequestContext) {
    return this.attempts.start(id, context);
  }

  @Handles(contract.returned)
  returned(@Payload() input: Input<'returned'>, @Ctx() context: RequestContext) {
    return this.returns.returned(input, context);
  }

  @Handles(contract.receiveNotification)
  async receive(
    @Payload() { body, ...notification }: Input<'receiveNotification'>,
    @Ctx() { traceparent }: RequestContext,
  ) {
    const received = { ...notification, body: Buffer.from(body, 'base64'), traceparent };
    return { stored: await this.intake.receive(received) };
  }
}
