import type { MetricValue, Registry } from 'prom-client';
import { DURATION_BUCKETS } from '#libs/platform';

interface Counts {
  route: string;
  /** One for each bucket, and the last for what took longer than all. */
  buckets: number[];
  sum: number;
}

type Value = MetricValue<string> & { metricName: string };

/**
 * `http_request_seconds`, a histogram by route (method and pattern). Counted in plain arrays and written out at each scrape: what
 * prom-client's own does per observation would be felt by the fastest reads.
 */
export class RouteDurations {
  readonly name = 'http_request_seconds';
  private readonly routes = new Map<string, Counts>();

  constructor(registry: Registry) {
    // What `registerMetric` needs of a metric.
    registry.registerMetric(this as never);
  }

  observe(method: string, pattern: string, seconds: number): void {
    const route = `${method} ${pattern}`;
    let counts = this.routes.get(route);
    if (!counts) {
      counts = { route, buckets: new Array<number>(DURATION_BUCKETS.length + 1).fill(0), sum: 0 };
      this.routes.set(route, counts);
    }
    let bucket = 0;
    while (bucket < DURATION_BUCKETS.length && seconds > DURATION_BUCKETS[bucket]!) bucket += 1;
    counts.buckets[bucket]! += 1;
    counts.sum += seconds;
  }

  /** What the registry writes out. */
  get() {
    const values = [...this.routes.values()].flatMap((counts) => this.valuesOf(counts));
    return { name: this.name, help: 'Time from a request to its answer', type: 'histogram', values };
  }

  reset(): void {
    this.routes.clear();
  }

  private valuesOf({ route, buckets, sum }: Counts): Value[] {
    let total = 0;
    const values: Value[] = buckets.map((count, index) => {
      total += count;
      const le = DURATION_BUCKETS[index] ?? '+Inf';
      return { metricName: `${this.name}_bucket`, labels: { route, le }, value: total };
    });
    values.push({ metricName: `${this.name}_sum`, labels: { route }, value: sum });
    values.push({ metricName: `${this.name}_count`, labels: { route }, value: total });
    return values;
  }
}
