import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, type Mail, mailContract, type MailStatus, type PageOf } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { MailService } from './mail.service.js';

@Controller()
export class MailController {
  constructor(private readonly mails: MailService) {}

  @Handles(mailContract.list)
  list(@Payload() request: HandlerInput<typeof mailContract.list>): Promise<PageOf<Mail>> {
    return this.mails.list(request);
  }

  @Handles(mailContract.status)
  status(): Promise<MailStatus> {
    return this.mails.status();
  }

  @Handles(mailContract.resend)
  resend(
    @Payload() { id }: HandlerInput<typeof mailContract.resend>,
    @Ctx() context: RequestContext,
  ): Promise<Mail> {
    return this.mails.resend(id, context);
  }
}
