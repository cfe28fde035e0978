import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, type Output, paypalContract, type PaypalEmail } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { PaypalEmailService } from './paypal-email.service.js';

@Controller()
export class PaypalEmailController {
  constructor(private readonly paypalEmails: PaypalEmailService) {}

  @Handles(paypalContract.listPaypalEmail)
  list(): Promise<PaypalEmail[]> {
    return this.paypalEmails.list();
  }

  @Handles(paypalContract.paypalEmail)
  item(@Payload() { id }: HandlerInput<typeof paypalContract.paypalEmail>): Promise<PaypalEmail> {
    return this.paypalEmails.item(id);
  }

  @Handles(paypalContract.addPaypalEmail)
  add(
    @Payload() input: HandlerInput<typeof paypalContract.addPaypalEmail>,
    @Ctx() context: RequestContext,
  ): Promise<PaypalEmail> {
    return this.paypalEmails.add(input, context);
  }

  @Handles(paypalContract.updatePaypalEmail)
  update(
    @Payload() input: HandlerInput<typeof paypalContract.updatePaypalEmail>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof paypalContract.updatePaypalEmail>> {
    return this.paypalEmails.update(input, context);
  }
}
