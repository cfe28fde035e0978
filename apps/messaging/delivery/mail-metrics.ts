import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '#libs/platform';

@Injectable()
export class MailMetrics {
  private readonly outcomes: Counter<'outcome'>;
  private readonly waiting: Gauge;
  private readonly oldest: Gauge;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.outcomes = new Counter({
      name: 'mails_total',
      help: 'Attempts to send a mail, by outcome: sent, failed (for good) or postponed',
      labelNames: ['outcome'],
      registers,
    });
    // Prometheus sees no increase when a series first appears with the value 1. Without this 0, the alert MailsWait would not notice that mails are
    // being sent.
    this.outcomes.inc({ outcome: 'sent' }, 0);
    this.waiting = new Gauge({ name: 'mails_waiting', help: 'Mails that are not sent yet', registers });
    this.oldest = new Gauge({
      name: 'mails_oldest_age_seconds',
      help: 'Age of the oldest mail that is not sent yet',
      registers,
    });
  }

  recordOutcome(outcome: 'sent' | 'failed' | 'postponed'): void {
    this.outcomes.inc({ outcome });
  }

  setBacklog({ waiting, oldestAgeSeconds }: { waiting: number; oldestAgeSeconds: number }): void {
    this.waiting.set(waiting);
    this.oldest.set(oldestAgeSeconds);
  }
}
