import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { Inbox, mailboxOf, type MailLimit, RecipientLimits, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import type { RequestContext } from '#libs/transport';
import { MailQueue, type NewMail } from './mail-queue.js';
import type { MailTemplate } from './mail-template.js';

const limits: readonly MailLimit[] = [{ of: 'this kind', count: 20, seconds: 60 * 60 }];

/** Sends an admin a mail that shows what other people will get. */
@Injectable()
export class TestMailService {
  constructor(
    private readonly inbox: Inbox,
    private readonly queue: MailQueue,
    private readonly recipientLimits: RecipientLimits,
    private readonly clock: Clock,
  ) {}

  /** Throws FORBIDDEN if the address of the caller is not verified, RATE_LIMITED, and what `prepareContent` throws. */
  async send(
    context: RequestContext,
    template: string,
    { priority }: MailTemplate,
    prepareContent: (tx: EntityManager) => Promise<Pick<NewMail, 'params' | 'about'>>,
  ): Promise<{ _id: string; to: string }> {
    const { actor } = context;
    if (!('email' in actor) || !actor.emailVerified) throw new DomainError('FORBIDDEN');
    const to = actor.email;
    const queued = await this.inbox.once(context, async (tx) => {
      const content = await prepareContent(tx);
      const mailbox = { key: mailboxOf(to), limits };
      const now = this.clock.now();
      const retryAfterSeconds = await this.recipientLimits.countMail(tx, template, [mailbox], now);
      if (retryAfterSeconds > 0) throw new DomainError('RATE_LIMITED', { retryAfterSeconds });
      const id = uuidv7();
      await this.queue.add(tx, { id, template, to, ...content }, { priority });
      return { _id: id, to };
    });
    this.queue.wakeWorker();
    return queued;
  }
}
