import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, paypalContract as contract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { PaypalEmailService } from './paypal-email.service.js';

type Input<Name extends keyof typeof contract> = HandlerInput<(typeof contract)[Name]>;

@Controller()
export class PaypalEmailController {
  constructor(private readonly emails: PaypalEmailService) {}

  @Handles(contract.listPaypalEmail)
  list() {
    return this.emails.list();
  }

  @Handles(contract.paypalEmail)
  item(@Payload() { id }: Input<'paypalEmail'>) {
    return this.emails.item(id);
  }

  @Handles(contract.addPaypalEmail)
  add(@Payload() input: Input<'addPaypalEmail'>, @Ctx() context: RequestContext) {
    return this.emails.add(input, context);
  }

  @Handles(contract.updatePaypalEmail)
  update(@Payload() input: Input<'updatePaypalEmail'>, @Ctx() context: RequestContext) {
    return this.emails.update(input, context);
  }
}
