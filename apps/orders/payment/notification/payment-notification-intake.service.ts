import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError, type HandlerInputs, paymentContract } from '#libs/contracts';
import { transaction } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { PaymentAttemptRepository } from '../attempt/payment-attempt.repository.js';
import { PaymentProviders } from '../payment-providers.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';
import { type NewNotification, PaymentNotificationRepository } from './payment-notification.repository.js';

/** The backlog takes about this long to shrink, and providers repeat notifications anyway. */
const retryAfterSeconds = 60;

type Input = HandlerInputs<typeof paymentContract>;

/** Stores notifications before they are acknowledged, so that none is lost, whichever process dies. */
@Injectable()
export class PaymentNotificationIntakeService {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: PaymentNotificationRepository,
    private readonly attempts: PaymentAttemptRepository,
    private readonly providers: PaymentProviders,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  /** `listener` is called whenever this process has stored a notification. */
  onStored(listener: () => void): void {
    this.listeners.add(listener);
  }

  /**
   * A notification with the body and headers of a stored one is only counted, so a repeated command does no harm. A notification is doubtful if it
   * belongs to no attempt, or if other notifications of its attempt wait, are being stored or were forged. Doubtful ones may fill only a part of the
   * backlog. They are not stored if their network is over its limit; those of no attempt are then not even compared with stored ones. Throws
   * OVERLOADED while too many wait, in all or of one attempt.
   */
  @Handles(paymentContract.receiveNotification)
  async receive(
    { provider, body: encoded, headers, contentType, networkOverLimit }: Input['receiveNotification'],
    { traceparent }: RequestContext,
  ): Promise<{ stored: boolean }> {
    const { manager } = this.dataSource;
    const body = Buffer.from(encoded, 'base64');
    const references = this.providers.get(provider).referencesOf(body);
    const attempt = await this.attempts.findByReferences(manager, provider, references);
    if (!attempt && networkOverLimit) return { stored: false };
    const hash = hashOf(body, headers);
    if (await this.notifications.recordRepetition(hash)) return { stored: true };
    const received = { provider, body, headers, contentType, traceparent, hash };
    const stored = await (attempt
      ? this.receiveFor(attempt.id, received, networkOverLimit)
      : this.receiveStranger(received));
    if (stored) for (const notify of this.listeners) notify();
    return { stored };
  }

  /** Of concurrent notifications, only the one that gets the lock can be without doubt. The others do not wait for the lock. */
  private receiveFor(
    attemptId: string,
    received: Omit<NewNotification, 'attemptId' | 'doubt'>,
    networkOverLimit: boolean,
  ): Promise<boolean> {
    const { maxBacklog, maxAttemptBacklog } = this.settings;
    return transaction(this.dataSource, async (tx) => {
      const { hasLock, waiting, forged } = await this.notifications.tryLockAndCount(tx, attemptId);
      const doubt = Math.max(waiting + forged, hasLock ? 0 : 1);
      if (doubt > 0 && networkOverLimit) return false;
      if (waiting >= maxAttemptBacklog) throw overloaded();
      await this.refuseIfFull(tx, doubt > 0 ? maxBacklog * 0.75 : maxBacklog);
      await this.notifications.insert(tx, { ...received, attemptId, doubt });
      return true;
    });
  }

  private async receiveStranger(received: Omit<NewNotification, 'attemptId' | 'doubt'>): Promise<true> {
    const { manager } = this.dataSource;
    await this.refuseIfFull(manager, this.settings.maxBacklog / 2);
    // `doubt` is for notifications of an attempt. Those of none need no number: they are all in the doubtful lane.
    await this.notifications.insert(manager, { ...received, attemptId: null, doubt: 0 });
    return true;
  }

  private async refuseIfFull(manager: EntityManager, capacity: number): Promise<void> {
    if (await this.notifications.isFull(manager, capacity)) throw overloaded();
  }
}

/** Includes the headers, which hold the signature. Otherwise, a forged notification could take the place of a genuine one with the same body. */
function hashOf(body: Buffer, headers: Record<string, string>): Buffer {
  const hash = createHash('sha256').update(body);
  for (const [name, value] of Object.entries(headers).sort()) hash.update(`\n${name}: ${value}`);
  return hash.digest();
}

function overloaded(): DomainError {
  return new DomainError('OVERLOADED', { retryAfterSeconds });
}
