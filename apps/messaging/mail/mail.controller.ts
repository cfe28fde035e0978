import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, mailContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { MailService } from './mail.service.js';

type Input<C extends keyof typeof mailContract> = HandlerInput<(typeof mailContract)[C]>;

@Controller()
export class MailController {
  constructor(private readonly mails: MailService) {}

  @Handles(mailContract.list)
  list(@Payload() request: Input<'list'>) {
    return this.mails.list(request);
  }

  @Handles(mailContract.status)
  status() {
    return this.mails.status();
  }

  @Handles(mailContract.resend)
  resend(@Payload() { id }: Input<'resend'>, @Ctx() context: RequestContext) {
    return this.mails.resend(id, context);
  }
}
