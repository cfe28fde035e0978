import type { MetricValue, Registry } from 'prom-client';
import { durationBuckets } from '#libs/platform';

interface Counts {
  route: string;
  /** Each request counts in one bucket only. The last bucket has no upper bound. */
  buckets: number[];
  sum: number;
}

type Value = MetricValue<string> & { metricName: string };

/**
 * `http_request_seconds`, a histogram by route (method and pattern). Does its own counting, and converts the counts for prom-client at each scrape,
 * because calling prom-client for every request would slow down the fastest reads.
 */
export class RouteDurations {
  readonly name = 'http_request_seconds';
  /** By pattern, then by method, so that no request has to build a key. */
  private readonly routes = new Map<string, Map<string, Counts>>();

  constructor(registry: Registry) {
    // The registry uses only `name`, `get` and `reset`.
    registry.registerMetric(this as never);
  }

  observe(method: string, pattern: string, seconds: number): void {
    const counts = this.routes.get(pattern)?.get(method) ?? this.add(method, pattern);
    let bucket = 0;
    while (bucket < durationBuckets.length && seconds > durationBuckets[bucket]!) bucket += 1;
    counts.buckets[bucket]! += 1;
    counts.sum += seconds;
  }

  get() {
    const values = [...this.routes.values()].flatMap((methods) =>
      [...methods.values()].flatMap((counts) => this.valuesOf(counts)),
    );
    return { name: this.name, help: 'Time from a request to its answer', type: 'histogram', values };
  }

  reset(): void {
    this.routes.clear();
  }

  private add(method: string, pattern: string): Counts {
    const buckets = new Array<number>(durationBuckets.length + 1).fill(0);
    const counts = { route: `${method} ${pattern}`, buckets, sum: 0 };
    const methods = this.routes.get(pattern) ?? new Map<string, Counts>();
    this.routes.set(pattern, methods.set(method, counts));
    return counts;
  }

  private valuesOf({ route, buckets, sum }: Counts): Value[] {
    let total = 0;
    const values: Value[] = buckets.map((count, index) => {
      total += count;
      const le = durationBuckets[index] ?? '+Inf';
      return { metricName: `${this.name}_bucket`, labels: { route, le }, value: total };
    });
    values.push({ metricName: `${this.name}_sum`, labels: { route }, value: sum });
    values.push({ metricName: `${this.name}_count`, labels: { route }, value: total });
    return values;
  }
}
