import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '#libs/platform';
import type { NotificationStatus } from './notification/payment-notification.repository.js';

type Decision = Exclude<NotificationStatus, 'waiting'> | 'refused';

/** Also counts the decisions for a line in the log: a notification that belongs to no order appears in no timeline. */
@Injectable()
export class PaymentMetrics {
  private readonly decisions: Counter<'decision'>;
  private readonly verifications: Counter<'answer'>;
  private readonly waiting: Gauge;
  private readonly oldest: Gauge;
  private readonly missedAttempts: Counter;
  private counts: Partial<Record<Decision, number>> = {};

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.decisions = new Counter({
      name: 'payment_notices_total',
      help: 'Payment notifications by decision; stranger: not about a payment of ours; refused: a report about another order’s attempt',
      labelNames: ['decision'],
      registers,
    });
    this.verifications = new Counter({
      name: 'payment_verifications_total',
      help: 'Verifications of payment notifications, by answer; none: the provider did not answer',
      labelNames: ['answer'],
      registers,
    });
    this.waiting = new Gauge({
      name: 'payment_notices_waiting',
      help: 'Payment notifications that wait for a decision, without those that the provider has denied',
      registers,
    });
    this.oldest = new Gauge({
      name: 'payment_notices_oldest_age_seconds',
      help: 'Age of the oldest payment notification that waits for a decision, without those that the provider has denied',
      registers,
    });
    this.missedAttempts = new Counter({
      name: 'payment_attempts_without_outcome_total',
      help: 'Payment attempts that have had no outcome for too long',
      registers,
    });
  }

  /** Call it after the commit. `undefined`: nothing was decided. */
  countDecision(decision: Decision | undefined): void {
    if (decision === undefined) return;
    this.decisions.inc({ decision });
    this.counts[decision] = (this.counts[decision] ?? 0) + 1;
  }

  countVerification(answer: 'genuine' | 'forged' | 'none'): void {
    this.verifications.inc({ answer });
  }

  setBacklog(waiting: number, oldestAgeSeconds: number): void {
    this.waiting.set(waiting);
    this.oldest.set(oldestAgeSeconds);
  }

  countMissedAttempts(count: number): void {
    this.missedAttempts.inc(count);
  }

  /** For the log: the counts since the last call. */
  takeDecisionCounts(): Partial<Record<Decision, number>> {
    const { counts } = this;
    this.counts = {};
    return counts;
  }
}
