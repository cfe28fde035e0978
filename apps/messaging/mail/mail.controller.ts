import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type EventPayload, mailRequested } from '#libs/contracts';
import { EventContext, OnEvent } from '#libs/transport';
import { MailService } from './mail.service.js';

@Controller()
export class MailController {
  constructor(private readonly mails: MailService) {}

  @OnEvent(mailRequested)
  request(
    @Payload() request: EventPayload<typeof mailRequested>,
    @Ctx() { eventId }: EventContext,
  ): Promise<void> {
    return this.mails.take(request, eventId);
  }
}
