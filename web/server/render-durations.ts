import { Histogram, type Registry } from 'prom-client';
import { durationBuckets } from '#libs/platform';

/** A histogram of how long the renderer takes for pages, previews, builds, assets and shells. */
export function renderDurations(registry: Registry): Histogram<'kind' | 'status'> {
  return new Histogram({
    name: 'web_answer_seconds',
    help: 'Duration of page renderer responses, by kind of request',
    labelNames: ['kind', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
}
