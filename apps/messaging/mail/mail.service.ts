import { Injectable } from '@nestjs/common';
import type { MailRequest } from '#libs/contracts';
import { Inbox } from '#libs/database';
import { MailQueue } from './mail-queue.js';

/** What other services ask to be sent. */
@Injectable()
export class MailService {
  constructor(
    private readonly inbox: Inbox,
    private readonly queue: MailQueue,
  ) {}

  async take({ mailId, template, params, to }: MailRequest, eventId: string): Promise<void> {
    await this.inbox.consume('mail', eventId, async (tx) => {
      const notAfter = 'expiresAt' in params ? params.expiresAt : undefined;
      await this.queue.add(tx, { id: mailId, template, params, to, notAfter });
    });
    this.queue.announce();
  }
}
