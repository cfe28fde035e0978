import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DomainError,
  fieldErrors,
  type HandlerInput,
  type mailContract,
  type MailEvent,
  mailEvents,
} from '#libs/contracts';
import { Inbox } from '#libs/database';
import { Suppressions } from '../suppression/suppressions.js';
import { isSigned } from './mail-event-signature.js';
import { MailQueue } from './mail-queue.js';
import { MAIL_SETTINGS, type MailSettings } from './mail-settings.js';

/** Of a mail that is not known to be sent yet: nothing of the event was kept. */
class EarlyBounce extends Error {}

/** What a provider that sends our mail says became of it. */
@Injectable()
export class MailEventsService {
  constructor(
    private readonly inbox: Inbox,
    private readonly queue: MailQueue,
    private readonly suppressions: Suppressions,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  /** How many events changed something. NOT_FOUND, FORBIDDEN, INVALID_INPUT; UNAVAILABLE for bounces that were too early: tell them again. */
  async take({
    signature,
    body: sent,
  }: HandlerInput<typeof mailContract.reportEvents>): Promise<{ applied: number }> {
    const { eventsSecret } = this.settings;
    if (eventsSecret === undefined) throw new DomainError('NOT_FOUND');
    const body = Buffer.from(sent, 'base64');
    if (!isSigned(body, signature, eventsSecret, Date.now())) throw new DomainError('FORBIDDEN');
    let applied = 0;
    let early: EarlyBounce | undefined;
    // Each by itself: when this ends midway and is told again, it goes on from there.
    for (const event of eventsIn(body)) {
      try {
        await this.inbox.consume('mail-events', event.id, async (tx) => {
          if (await this.apply(tx, event)) applied += 1;
        });
      } catch (error) {
        // Those after it do not wait for it.
        if (!(error instanceof EarlyBounce)) throw error;
        early = error;
      }
    }
    if (early) throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 30 });
    return { applied };
  }

  private async apply(tx: EntityManager, { kind, messageId, address, reason }: MailEvent): Promise<boolean> {
    const mail = messageId === undefined ? undefined : await this.queue.findByMessageId(tx, messageId);
    const words =
      reason ?? (kind === 'bounce' ? 'The e-mail bounced.' : 'The recipient reported the e-mail as spam.');
    if (kind === 'bounce' && mail) {
      // A provider may be quicker than this service notes that it took the mail.
      if (mail.state === 'queued' || mail.state === 'sending') throw new EarlyBounce();
      if (await this.queue.bounced(tx, mail.id, words, true)) return true;
    }
    const to = mail?.to ?? address;
    return to !== undefined && this.suppressions.suppress(tx, to, words);
  }
}

/** INVALID_INPUT. */
function eventsIn(body: Buffer): MailEvent[] {
  let told: unknown;
  try {
    told = JSON.parse(body.toString('utf8'));
  } catch {
    throw DomainError.invalid([{ field: '', message: 'must be JSON' }]);
  }
  const parsed = mailEvents.safeParse(told);
  if (!parsed.success) throw DomainError.invalid(fieldErrors(parsed.error));
  return parsed.data.events;
}
