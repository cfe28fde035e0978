import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '#libs/platform';
import type { DropReason } from './drop-reason.js';

/** Prometheus metrics about received mails. */
@Injectable()
export class InboundMailMetrics {
  private readonly outcomes: Counter<'outcome'>;

  constructor({ registry }: Metrics) {
    this.outcomes = new Counter({
      name: 'inbound_mails_total',
      help: 'Received mails by their outcome: posted, or why they were dropped',
      labelNames: ['outcome'],
      registers: [registry],
    });
    // A series that begins with its first mail has not increased for Prometheus, and the alert would miss that mail.
    this.outcomes.inc({ outcome: 'failed' }, 0);
  }

  recordOutcome(outcome: 'posted' | DropReason): void {
    this.outcomes.inc({ outcome });
  }
}
