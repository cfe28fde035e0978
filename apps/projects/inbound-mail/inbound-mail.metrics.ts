import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '#libs/platform';
import type { DropReason } from './drop-reason.js';

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
    // Prometheus sees no increase when a series first appears with the value 1. Without this 0, the alert would miss the first failed mail.
    this.outcomes.inc({ outcome: 'failed' }, 0);
  }

  recordOutcome(outcome: 'posted' | DropReason): void {
    this.outcomes.inc({ outcome });
  }
}
