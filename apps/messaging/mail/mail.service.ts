import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Brackets, DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  DomainError,
  type HandlerInput,
  type Mail,
  type mailContract,
  type MailRequest,
  type MailStatus,
  type PageOf,
} from '#libs/contracts';
import {
  boundedSearch,
  containing,
  Inbox,
  listPage,
  ListTotals,
  newestFirst,
  transaction,
  uuidv7,
} from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { SiteBrand } from '../site/site-brand.js';
import { readBounce } from './bounce.js';
import { MailQueue } from './mail-queue.js';
import { MAIL_SETTINGS, type MailSettings } from './mail-settings.js';
import { isTemplate } from './mail-templates.js';
import { MailEntity } from './mail.entity.js';

/** What others ask to be sent, and what admins see of it. */
@Injectable()
export class MailService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly queue: MailQueue,
    private readonly totals: ListTotals,
    private readonly brand: SiteBrand,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  async take({ mailId, template, params, to }: MailRequest, eventId: string): Promise<void> {
    if (template === 'newSignIn' && (await this.brand.isOff(template))) return;
    await this.inbox.consume('mail', eventId, async (tx) => {
      const notAfter = 'expiresAt' in params ? params.expiresAt : undefined;
      await this.queue.add(tx, { id: mailId, template, params, to, notAfter });
    });
    this.queue.announce();
  }

  /** INVALID_INPUT, UNAVAILABLE for a search that takes too long. */
  list({
    search,
    state,
    campaign,
    ...request
  }: HandlerInput<typeof mailContract.list>): Promise<PageOf<Mail>> {
    return boundedSearch(this.dataSource, search, async (manager) => {
      const chosen = manager.createQueryBuilder(MailEntity, 'mail');
      if (state) chosen.andWhere({ state });
      if (campaign) chosen.andWhere({ campaignId: campaign });
      if (search) {
        const pattern = containing(search);
        chosen.andWhere(
          new Brackets((either) =>
            either.where('mail.to ILIKE :pattern', { pattern }).orWhere('mail.subject ILIKE :pattern'),
          ),
        );
      }
      const total = await this.totals.of(chosen);
      const { items, nextCursor } = await listPage(chosen, request, newestFirst);
      return { items: items.map(mailView), total, nextCursor };
    });
  }

  async status(): Promise<MailStatus> {
    const { from, smtpUrl } = this.settings;
    const [{ failed }] = await this.dataSource.query<[{ failed: string }]>(
      `SELECT count(*) AS failed FROM mails WHERE state = 'failed' AND created_at > now() - interval '7 days'`,
    );
    const isOn = smtpUrl !== undefined;
    return {
      on: isOn,
      from: isOn ? from!.address : null,
      ...(await this.queue.backlog()),
      failed: Number(failed),
    };
  }

  /** NOT_FOUND, INVALID_TRANSITION. */
  async resend(id: string, context: RequestContext): Promise<Mail> {
    const again = await this.inbox.once(context, async (tx) => {
      const before = isUuid(id) ? await tx.findOneBy(MailEntity, { id }) : null;
      if (!before) throw new DomainError('NOT_FOUND');
      const { template, params, to, about } = before;
      if (!isResendable(before) || !isTemplate(template)) throw new DomainError('INVALID_TRANSITION');
      const newId = uuidv7();
      const replyTo = before.replyTo ?? undefined;
      await this.queue.add(tx, {
        id: newId,
        template,
        params,
        to,
        replyTo,
        about: about ?? undefined,
        resendOf: id,
      });
      return mailView(await tx.findOneByOrFail(MailEntity, { id: newId }));
    });
    this.queue.announce();
    return again;
  }

  /** NOT_FOUND, FORBIDDEN. */
  async reportBounce({ token, report }: HandlerInput<typeof mailContract.reportBounce>): Promise<boolean> {
    const { bounceToken } = this.settings;
    if (bounceToken === undefined) throw new DomainError('NOT_FOUND');
    if (!isSame(token, bounceToken)) throw new DomainError('FORBIDDEN');
    const bounce = readBounce(Buffer.from(report, 'base64').toString('latin1'));
    if (!bounce?.failed) return false;
    const { mailId, answer, isDead } = bounce;
    return transaction(this.dataSource, (tx) => this.queue.bounced(tx, mailId, answer, isDead));
  }
}

/** Takes as long whatever they have in common. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

const isDone = ({ state }: MailEntity) => state !== 'queued' && state !== 'sending';

/** A link that works once is not kept, so a mail that held one cannot be written again; and nobody gets a newsletter twice. */
const isResendable = (mail: MailEntity) => isDone(mail) && !mail.paramsBlanked && mail.campaignId === null;

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
    nextAttemptAt: isDone(mail) ? null : mail.nextAttemptAt.toISOString(),
    finishedAt: mail.finishedAt?.toISOString() ?? null,
    bouncedAt: mail.bouncedAt?.toISOString() ?? null,
    resendOf: mail.resendOf,
    campaignId: mail.campaignId,
    resendable: isResendable(mail),
    createdAt: mail.createdAt.toISOString(),
    updatedAt: mail.updatedAt.toISOString(),
  };
}
