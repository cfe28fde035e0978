import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type CheckoutForm, type HandlerInput, type Output, paymentContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { PaymentAttempts } from './attempt/payment-attempts.js';
import { PaymentReturn } from './attempt/payment-return.js';
import { NoticeInbox } from './notice/notice-inbox.js';

@Controller()
export class PaymentController {
  constructor(
    private readonly attempts: PaymentAttempts,
    private readonly returns: PaymentReturn,
    private readonly inbox: NoticeInbox,
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

  @Handles(paymentContract.receiveNotice)
  async receive(
    @Payload() { body, ...notice }: HandlerInput<typeof paymentContract.receiveNotice>,
    @Ctx() { traceparent }: RequestContext,
  ): Promise<Output<typeof paymentContract.receiveNotice>> {
    return {
      stored: await this.inbox.receive({ ...notice, body: Buffer.from(body, 'base64'), traceparent }),
    };
  }
}
