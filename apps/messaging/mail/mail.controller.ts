import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  type EventPayload,
  type HandlerInput,
  type Mail,
  mailContract,
  mailRequested,
  type MailStatus,
  type PageOf,
} from '#libs/contracts';
import { EventContext, Handles, OnEvent, RequestContext } from '#libs/transport';
import { MailEventsService } from './mail-events.service.js';
import { MailService } from './mail.service.js';

@Controller()
export class MailController {
  constructor(
    private readonly mails: MailService,
    private readonly events: MailEventsService,
  ) {}

  @OnEvent(mailRequested)
  request(
    @Payload() request: EventPayload<typeof mailRequested>,
    @Ctx() { eventId }: EventContext,
  ): Promise<void> {
    return this.mails.take(request, eventId);
  }

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

  @Handles(mailContract.reportBounce)
  async reportBounce(
    @Payload() input: HandlerInput<typeof mailContract.reportBounce>,
  ): Promise<{ bounced: boolean }> {
    return { bounced: await this.mails.reportBounce(input) };
  }

  @Handles(mailContract.reportEvents)
  reportEvents(
    @Payload() input: HandlerInput<typeof mailContract.reportEvents>,
  ): Promise<{ applied: number }> {
    return this.events.take(input);
  }
}
