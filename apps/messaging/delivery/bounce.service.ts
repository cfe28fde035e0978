import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  DomainError,
  fieldErrors,
  type HandlerInputs,
  mailContract,
  type MailEvent,
  mailEvents,
} from '#libs/contracts';
import { Inbox, sha256, transaction } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles } from '#libs/transport';
import { MAIL_SETTINGS, type MailSettings } from '../config.js';
import type { MailEntity } from '../mail/mail.entity.js';
import { MailRepository } from '../mail/mail.repository.js';
import { SuppressionService } from '../subscriber/suppression.service.js';
import { parseDeliveryReport } from './delivery-report.js';
import { DeliveryRepository } from './delivery.repository.js';
import { isSigned } from './mail-event-signature.js';

/** A bounce may be reported before this service has recorded that the mail was sent. The bounce then has to be reported again. */
class EarlyBounce extends DomainError {
  constructor() {
    super('UNAVAILABLE', { retryAfterSeconds: 30 });
  }
}

type Input = HandlerInputs<typeof mailContract>;

@Injectable()
export class BounceService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly mails: MailRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly suppression: SuppressionService,
    private readonly clock: Clock,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  /** Throws NOT_FOUND if no token is configured, FORBIDDEN for a wrong token, and UNAVAILABLE (EarlyBounce). */
  @Handles(mailContract.reportBounce)
  async acceptReport({ token, report }: Input['reportBounce']): Promise<{ bounced: boolean }> {
    const { bounceToken } = this.settings;
    if (bounceToken === undefined) throw new DomainError('NOT_FOUND');
    if (!isSame(token, bounceToken)) throw new DomainError('FORBIDDEN');
    const parsed = parseDeliveryReport(Buffer.from(report, 'base64').toString('utf8'));
    if (!parsed?.failed) return { bounced: false };
    const { mailId, answer, isHard } = parsed;
    const bounced = await transaction(this.dataSource, async (tx) => {
      const mail = await this.mails.find(tx, mailId);
      return mail !== null && this.recordBounce(tx, mail, answer, isHard);
    });
    return { bounced };
  }

  /**
   * Throws NOT_FOUND if no secret is configured, FORBIDDEN without a valid signature, INVALID_INPUT for a malformed body, and
   * UNAVAILABLE (EarlyBounce) after recording the other events.
   */
  @Handles(mailContract.reportMailEvents)
  async acceptEvents({ signature, body: encoded }: Input['reportMailEvents']): Promise<{ applied: number }> {
    const { eventsSecret } = this.settings;
    if (eventsSecret === undefined) throw new DomainError('NOT_FOUND');
    const body = Buffer.from(encoded, 'base64');
    if (!isSigned(body, signature, eventsSecret, this.clock.now().getTime()))
      throw new DomainError('FORBIDDEN');
    let applied = 0;
    let early: EarlyBounce | undefined;
    // One transaction for each event: if the provider has to send them all again, those already recorded are skipped.
    for (const event of parseEvents(body)) {
      try {
        await this.inbox.consume('mail-events', event.id, async (tx) => {
          if (await this.apply(tx, event)) applied += 1;
        });
      } catch (error) {
        if (!(error instanceof EarlyBounce)) throw error;
        early = error;
      }
    }
    if (early) throw early;
    return { applied };
  }

  private async apply(tx: EntityManager, { kind, messageId, address, reason }: MailEvent): Promise<boolean> {
    const mail = messageId === undefined ? null : await this.mails.findByMessageId(tx, messageId);
    const reasonText =
      reason ?? (kind === 'bounce' ? 'The e-mail bounced.' : 'The recipient reported the e-mail as spam.');
    if (kind === 'bounce' && mail && (await this.recordBounce(tx, mail, reasonText, true))) return true;
    const to = mail?.to ?? address;
    return to !== undefined && this.suppression.suppress(tx, to, reasonText);
  }

  /**
   * `isHard` means that the address gets no more newsletters. Returns false for a mail that failed, was cancelled, or has bounced before. Throws
   * EarlyBounce for a mail that is queued or being sent.
   */
  private async recordBounce(
    tx: EntityManager,
    { id, state }: MailEntity,
    reasonText: string,
    isHard: boolean,
  ): Promise<boolean> {
    if (state === 'queued' || state === 'sending') throw new EarlyBounce();
    const to = await this.deliveries.markBounced(tx, id, reasonText);
    if (to !== undefined && isHard) await this.suppression.suppress(tx, to, reasonText);
    return to !== undefined;
  }
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

function parseEvents(body: Buffer): MailEvent[] {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    throw DomainError.invalid([{ field: '', message: 'must be JSON' }]);
  }
  const parsed = mailEvents.safeParse(json);
  if (!parsed.success) throw DomainError.invalid(fieldErrors(parsed.error));
  return parsed.data.events;
}
