import { Histogram, type Registry } from 'prom-client';
import { durationBuckets } from '#libs/platform';

export function createAnswerDurations(registry: Registry): Histogram<'kind' | 'status'> {
  return new Histogram({
    name: 'web_answer_seconds',
    help: 'Duration of web process responses, by kind of request',
    labelNames: ['kind', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
}
