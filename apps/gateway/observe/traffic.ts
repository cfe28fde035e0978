import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { clientAddress } from '../limits/client-address.js';
import { isEventStream } from '../routing/event-stream-request.js';
import type { GatewayRequest } from '../routing/gateway-request.js';
import { RouteDurations } from './route-durations.js';

/**
 * Records traffic: `http_responses_total` by status, `http_request_seconds` by route, and a log line for each write and each server error.
 * Other reads are not logged: there are many of them, and they change nothing.
 */
export class Traffic {
  /** By status. Counted here and added at each scrape, because a label lookup per request is too slow. */
  private readonly pending = new Map<number, number>();
  private readonly durations: RouteDurations;

  constructor(
    private readonly registry: Registry,
    private readonly logger: Logger,
  ) {
    const { pending } = this;
    this.durations = new RouteDurations(registry);
    new Counter({
      name: 'http_responses_total',
      help: 'Answers to HTTP requests',
      labelNames: ['status'],
      registers: [registry],
      collect() {
        for (const [status, count] of pending) this.inc({ status }, count);
        pending.clear();
      },
    });
  }

  /** `http_event_streams`: how many are open. `count` is called at each scrape. */
  watchStreams(count: () => number): void {
    new Gauge({
      name: 'http_event_streams',
      help: 'Open streams of server-sent events',
      registers: [this.registry],
      collect() {
        this.set(count());
      },
    });
  }

  /** A Fastify `onResponse` hook. */
  record(request: GatewayRequest, reply: FastifyReply, done: () => void): void {
    const { statusCode: status } = reply.raw;
    this.pending.set(status, (this.pending.get(status) ?? 0) + 1);
    // A stream is open for as long as somebody reads it, which says nothing about how fast it was answered.
    if (!isEventStream(request) || status !== 200)
      this.durations.observe(request.method, request.routeOptions.url ?? 'none', reply.elapsedTime / 1000);
    const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
    if (!isRead || status >= 500) {
      this.logger.info(
        {
          requestId: request.id,
          traceId: request.id.replaceAll('-', ''),
          method: request.method,
          // Without the query string, which may contain secrets.
          path: request.url.split('?', 1)[0],
          status,
          ms: Math.round(reply.elapsedTime),
          address: clientAddress(request),
          ...(request.actor && 'accountId' in request.actor ? { account: request.actor.accountId } : {}),
        },
        'Answered',
      );
    }
    done();
  }
}
