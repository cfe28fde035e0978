import { Injectable } from '@nestjs/common';
import { type EventPayload, mailRequested } from '#libs/contracts';
import { Inbox } from '#libs/database';
import { EventContext, OnEvent } from '#libs/transport';
import { MailQueue } from '../mail/mail-queue.js';
import { BrandService } from '../site/brand.service.js';
import { accountTemplates } from './account-emails.js';

@Injectable()
export class MailRequestService {
  constructor(
    private readonly inbox: Inbox,
    private readonly queue: MailQueue,
    private readonly brand: BrandService,
  ) {}

  @OnEvent(mailRequested)
  async queueMail(
    { mailId, template, params, to }: EventPayload<typeof mailRequested>,
    { eventId }: EventContext,
  ): Promise<void> {
    if (template === 'newSignIn' && (await this.brand.isTemplateOff(template))) return;
    await this.inbox.consume('mail', eventId, async (tx) => {
      const notAfter = 'expiresAt' in params ? params.expiresAt : undefined;
      await this.queue.add(tx, { id: mailId, template, params, to, notAfter }, accountTemplates[template]);
    });
    this.queue.wakeWorker();
  }
}
