import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '#libs/platform';
import type { NoticeStatus } from './notice/notice-inbox.js';

type Decision = Exclude<NoticeStatus, 'waiting'> | 'refused';

/** What notices become, in figures, and in sum for the log: of one that concerns no order nothing else is told. */
@Injectable()
export class PaymentMetrics {
  private readonly decisions: Counter<'decision'>;
  private readonly questions: Counter<'answer'>;
  private readonly waiting: Gauge;
  private readonly oldest: Gauge;
  private readonly missed: Counter;
  private sums: Partial<Record<Decision, number>> = {};

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.decisions = new Counter({
      name: 'payment_notices_total',
      help: 'Notices by what was decided; stranger: about no payment of ours; refused: asked about by the wrong buyer',
      labelNames: ['decision'],
      registers,
    });
    this.questions = new Counter({
      name: 'payment_verifications_total',
      help: 'Questions whether the provider wrote a notice, by its answer',
      labelNames: ['answer'],
      registers,
    });
    this.waiting = new Gauge({ name: 'payment_notices_waiting', help: 'Notices not decided', registers });
    this.oldest = new Gauge({
      name: 'payment_notices_oldest_age_seconds',
      help: 'Age of the oldest notice that is not decided',
      registers,
    });
    this.missed = new Counter({
      name: 'payment_attempts_without_outcome_total',
      help: 'Attempts of which nothing was heard for too long',
      registers,
    });
  }

  decided(decision: Decision): void {
    this.decisions.inc({ decision });
    this.sums[decision] = (this.sums[decision] ?? 0) + 1;
  }

  answered(answer: 'genuine' | 'forged' | 'none'): void {
    this.questions.inc({ answer });
  }

  backlog(waiting: number, oldestAgeSeconds: number): void {
    this.waiting.set(waiting);
    this.oldest.set(oldestAgeSeconds);
  }

  attemptsMissed(count: number): void {
    this.missed.inc(count);
  }

  /** Decisions since the last time this was asked. */
  takeSums(): Partial<Record<Decision, number>> {
    const sums = this.sums;
    this.sums = {};
    return sums;
  }
}
