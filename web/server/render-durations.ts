import { Histogram, type Registry } from 'prom-client';
import { durationBuckets } from '#libs/platform';

/** How long pages, previews, assets and shells take. */
export function renderDurations(registry: Registry): Histogram<'kind' | 'status'> {
  return new Histogram({
    name: 'web_answer_seconds',
    help: 'Time of an answer of the page renderer, by what was asked for',
    labelNames: ['kind', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
}
