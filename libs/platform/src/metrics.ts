import { collectDefaultMetrics, Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { OutboxBacklog, PoolUse } from '#libs/database';
import type { QueueStats, TransportObserver } from '#libs/transport';

/** Upper bounds in seconds: the first are for cached reads, the last are for requests that reach their deadline. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

let processRegistry: Registry | undefined;

/** Measured once for all registries: prom-client cannot stop measuring, and tests create many registries. */
function processMetrics(): Metric[] {
  if (!processRegistry) {
    processRegistry = new Registry();
    // Sampling the event loop every 10 ms, prom-client's default, takes a third of an idle service's CPU time. The measured lag includes the
    // interval, so it is never below 50 ms.
    collectDefaultMetrics({ register: processRegistry, eventLoopMonitoringPrecision: 50 });
  }
  const registry = processRegistry;
  return registry.getMetricsAsArray().flatMap(({ name }) => registry.getSingleMetric(name) ?? []);
}

/** A process's Prometheus registry. Apps add their own metrics to `registry`. */
export class Metrics {
  readonly registry = new Registry();
  /** For `StreamsServer` and `RpcClient`. */
  readonly observer: TransportObserver;
  /** Errors that the process survived; each is a bug. */
  readonly unhandledErrors: Counter;

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    for (const metric of processMetrics()) this.registry.registerMetric(metric);
    this.unhandledErrors = new Counter({
      name: 'unhandled_errors_total',
      help: 'Unhandled errors; the process keeps serving',
      registers: [this.registry],
    });
    const handled = this.histogram('rpc_handler_seconds', 'Time in the handler of a request', 'pattern');
    const waited = this.histogram('rpc_queue_seconds', 'Time a request waited in its stream', 'pattern');
    const events = this.histogram('event_handler_seconds', 'Time in the handler of an event', 'event');
    const calls = this.histogram('rpc_call_seconds', 'Round trip of a call to another process', 'pattern');
    this.observer = {
      onRequest: (pattern, ms, outcome, waitedMs) => {
        handled.observe({ pattern, outcome }, ms / 1_000);
        waited.observe({ pattern, outcome }, waitedMs / 1_000);
      },
      onEvent: (event, ms, outcome) => events.observe({ event, outcome }, ms / 1_000),
      onCall: (pattern, ms, outcome) => calls.observe({ pattern, outcome }, ms / 1_000),
    };
  }

  /** Calls `backlog` at each scrape. While Postgres is unreachable, both gauges are NaN. */
  watchOutbox(backlog: () => Promise<OutboxBacklog>): void {
    const readBacklog = sharedAnswer(backlog);
    this.gauge('outbox_waiting', 'Events that wait in the outbox', async () => (await readBacklog())?.count);
    this.gauge(
      'outbox_oldest_age_seconds',
      'Age of the oldest event that waits in the outbox',
      async () => (await readBacklog())?.oldestAgeSeconds,
    );
  }

  /** Calls `stats` at each scrape. While Redis is unreachable, the gauges are NaN, and `event_stream_lag` has no values. */
  watchQueue(stats: () => Promise<QueueStats>): void {
    const readStats = sharedAnswer(stats);
    this.gauge(
      'rpc_queue_length',
      'Requests in the streams, waiting or being handled',
      async () => (await readStats())?.length,
    );
    this.gauge('rpc_queue_pending', 'Requests being handled', async () => (await readStats())?.pending);
    this.gauge('dead_letters', 'Messages that were given up', async () => (await readStats())?.deadLetters);
    new Gauge({
      name: 'event_stream_lag',
      help: 'Events of a followed stream that this service has not been given yet',
      labelNames: ['stream'],
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const [stream, lag] of Object.entries((await readStats())?.lag ?? {}))
          this.set({ stream }, lag ?? NaN);
      },
    });
  }

  /** `waiting` above 0 for long means that the pool is too small, or the database too slow. */
  watchPool(pool: () => PoolUse): void {
    new Gauge({
      name: 'database_pool_connections',
      help: 'Connections to Postgres: used, idle and allowed (limit), and requests waiting for one',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        for (const [state, count] of Object.entries(pool())) this.set({ state }, count);
      },
    });
  }

  private gauge(name: string, help: string, read: () => Promise<number | undefined>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set((await read()) ?? NaN);
      },
    });
  }

  private histogram<L extends string>(name: string, help: string, label: L): Histogram<L | 'outcome'> {
    return new Histogram({
      name,
      help,
      labelNames: [label, 'outcome'],
      buckets: durationBuckets,
      registers: [this.registry],
    });
  }
}

/** Lets several gauges share one call of `ask`. Undefined if it fails. */
function sharedAnswer<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let pending: Promise<T | undefined> | undefined;
  return () =>
    (pending ??= ask()
      .catch(() => undefined)
      .finally(() => (pending = undefined)));
}
