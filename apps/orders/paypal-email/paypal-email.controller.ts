import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, type Output, paymentContract, type PaypalEmail } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { PaypalEmailService } from './paypal-email.service.js';

@Controller()
export class PaypalEmailController {
  constructor(private readonly paypalEmails: PaypalEmailService) {}

  @Handles(paymentContract.listPaypalEmail)
  list(): Promise<PaypalEmail[]> {
    return this.paypalEmails.list();
  }

  @Handles(paymentContract.paypalEmail)
  item(@Payload() { id }: HandlerInput<typeof paymentContract.paypalEmail>): Promise<PaypalEmail> {
    return this.paypalEmails.item(id);
  }

  @Handles(paymentContract.addPaypalEmail)
  add(
    @Payload() input: HandlerInput<typeof paymentContract.addPaypalEmail>,
    @Ctx() context: RequestContext,
  ): Promise<PaypalEmail> {
    return this.paypalEmails.add(input, context);
  }

  @Handles(paymentContract.updatePaypalEmail)
  update(
    @Payload() input: HandlerInput<typeof paymentContract.updatePaypalEmail>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof paymentContract.updatePaypalEmail>> {
    return this.paypalEmails.update(input, context);
  }
}
