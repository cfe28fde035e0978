import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MAIL_SETTINGS, type Mailbox, type MailSettings } from '../config.js';
import type { MailTemplate } from './mail-template.js';
import { type CampaignMail, MailRepository } from './mail.repository.js';

export interface NewMail {
  /** A mail whose id was added before is not added again. */
  id: string;
  template: string;
  params: Record<string, unknown>;
  to: string;
  replyTo?: Mailbox;
  /** ISO 8601. After this time, the mail is cancelled instead of sent. */
  notAfter?: string;
  /** What the mail is about, such as an order's id. The list of mails can be filtered by it. */
  about?: string;
}

/**
 * A mail gets into the table `mails` if, and only if, the transaction that requested it is committed. It stays unfinished until the mail server
 * accepts it or refuses it for good, or it is cancelled or given up.
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

  /** Does nothing if the mail was added before. Call `wakeWorker` after the commit. */
  async add(
    tx: EntityManager,
    { notAfter, ...mail }: NewMail,
    { priority, isLastToAccount }: Pick<MailTemplate, 'priority' | 'isLastToAccount'>,
  ): Promise<void> {
    await this.mails.insert(tx, {
      ...mail,
      priority,
      messageId: this.messageIdOf(mail.id),
      forget: isLastToAccount ?? false,
      ...(notAfter !== undefined && { notAfter: new Date(notAfter) }),
    });
  }

  /** These mails are stored without params: their text comes from the campaign when they are sent. */
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

  async addCopy(tx: EntityManager, id: string, copyId: string): Promise<void> {
    await this.mails.copy(tx, id, { id: copyId, messageId: this.messageIdOf(copyId) });
  }

  /** Makes this process's worker look for due mails now. Otherwise it would wait until its next poll. */
  wakeWorker(): void {
    for (const listener of this.listeners) listener();
  }

  onWake(listener: () => void): void {
    this.listeners.add(listener);
  }

  private messageIdOf(id: string): string {
    return `<${id}@${this.messageIdDomain}>`;
  }
}
