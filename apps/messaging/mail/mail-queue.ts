import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MAIL_SETTINGS, type Mailbox, type MailSettings } from '../config.js';
import type { MailTemplate } from './mail-template.js';
import { type CampaignMail, MailRepository } from './mail.repository.js';

/** A mail to be sent. */
export interface NewMail {
  /** A mail whose id was added before is not added again. */
  id: string;
  template: string;
  params: Record<string, unknown>;
  to: string;
  replyTo?: Mailbox;
  /** ISO 8601. After this it is cancelled instead of sent. */
  notAfter?: string;
  /** What the mail is about, for the list of mails: for example an order's id. */
  about?: string;
}

/**
 * Takes in mails. A mail gets into the table `mails` if, and only if, the transaction that requested it is committed. It stays there unfinished
 * until the server has accepted it or refused it for good, it is no longer wanted, or the worker gives it up.
 */
@Injectable()
export class MailQueue {
  private readonly listeners = new Set<() => void>();
  private readonly messageIdDomain: string;

  constructor(
    private readonly mails: MailRepository,
    @Inject(MAIL_SETTINGS) { from, publicUrl }: MailSettings,
  ) {
    this.messageIdDomain = from?.address.split('@').at(-1) ?? new URL(publicUrl).hostname;
  }

  /** Adds a mail in the caller's transaction, unless it was added before. Call `announce` after the commit. */
  async add(
    tx: EntityManager,
    { notAfter, ...mail }: NewMail,
    { priority, isLast }: Pick<MailTemplate, 'priority' | 'isLast'>,
  ): Promise<void> {
    await this.mails.insert(tx, {
      ...mail,
      priority,
      messageId: this.messageIdOf(mail.id),
      forget: isLast ?? false,
      ...(notAfter !== undefined && { notAfter: new Date(notAfter) }),
    });
  }

  /** Adds mails of one campaign. Their text is not in `params`: it comes from the campaign when they are sent. */
  async addForCampaign(
    tx: EntityManager,
    campaignId: string,
    mails: readonly Omit<CampaignMail, 'messageId'>[],
  ): Promise<void> {
    await this.mails.insertForCampaign(
      tx,
      campaignId,
      mails.map((mail) => ({ ...mail, messageId: this.messageIdOf(mail.id) })),
    );
  }

  /** Adds a copy of a finished mail. */
  async addCopy(tx: EntityManager, id: string, copyId: string): Promise<void> {
    await this.mails.copy(tx, id, { id: copyId, messageId: this.messageIdOf(copyId) });
  }

  /** Tells this process's worker that mails may be due, so that it does not wait until its next poll. */
  announce(): void {
    for (const listener of this.listeners) listener();
  }

  /** `listener` is called by each `announce` in this process. */
  onAnnounced(listener: () => void): void {
    this.listeners.add(listener);
  }

  private messageIdOf(id: string): string {
    return `<${id}@${this.messageIdDomain}>`;
  }
}
