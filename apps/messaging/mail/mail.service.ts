import { Inject, Injectable } from '@nestjs/common';
import {
  DomainError,
  type HandlerInputs,
  type Mail,
  mailContract,
  type MailStatus,
  type PageOf,
} from '#libs/contracts';
import { Inbox, uuidv7 } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { MAIL_SETTINGS, type MailSettings } from '../config.js';
import { MailQueue } from './mail-queue.js';
import type { MailEntity } from './mail.entity.js';
import { MailRepository } from './mail.repository.js';

type Input = HandlerInputs<typeof mailContract>;

@Injectable()
export class MailService {
  constructor(
    private readonly inbox: Inbox,
    private readonly mails: MailRepository,
    private readonly queue: MailQueue,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  @Handles(mailContract.listMails)
  async list(request: Input['listMails']): Promise<PageOf<Mail>> {
    const { items, ...page } = await this.mails.list(request);
    return { ...page, items: items.map(mailView) };
  }

  @Handles(mailContract.getMailStatus)
  async status(): Promise<MailStatus> {
    const { from, smtpUrl } = this.settings;
    const on = smtpUrl !== undefined;
    return {
      on,
      from: on ? from!.address : null,
      ...(await this.mails.backlog()),
      failed: await this.mails.countFailed(),
    };
  }

  @Handles(mailContract.resendMail)
  async resend({ id }: Input['resendMail'], context: RequestContext): Promise<Mail> {
    const copy = await this.inbox.once(context, async (tx) => {
      const original = await this.mails.find(tx, id);
      if (!original) throw new DomainError('NOT_FOUND');
      if (!isResendable(original)) throw new DomainError('INVALID_TRANSITION');
      const copyId = uuidv7();
      await this.queue.addCopy(tx, id, copyId);
      return mailView((await this.mails.find(tx, copyId))!);
    });
    this.queue.wakeWorker();
    return copy;
  }
}

const isFinished = ({ state }: MailEntity) => state !== 'queued' && state !== 'sending';

/** A mail is written from its params, so it cannot be resent once the mailed link has been removed from them. Nobody gets a newsletter twice. */
const isResendable = (mail: MailEntity) =>
  isFinished(mail) && !mail.paramsBlanked && mail.campaignId === null;

export function mailView(mail: MailEntity): Mail {
  return {
    _id: mail.id,
    template: mail.template,
    to: mail.to,
    subject: mail.subject,
    state: mail.state,
    attempts: mail.attempts,
    answer: mail.answer,
    messageId: mail.messageId,
    // While a mail is being sent, this column holds the end of the lease.
    nextAttemptAt: mail.state === 'queued' ? mail.nextAttemptAt.toISOString() : null,
    finishedAt: mail.finishedAt?.toISOString() ?? null,
    bouncedAt: mail.bouncedAt?.toISOString() ?? null,
    resendOf: mail.resendOf,
    campaignId: mail.campaignId,
    resendable: isResendable(mail),
    createdAt: mail.createdAt.toISOString(),
    updatedAt: mail.updatedAt.toISOString(),
  };
}
