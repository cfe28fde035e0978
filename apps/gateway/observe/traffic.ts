import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { clientAddress } from '../limits/client-address.js';
import { isEventStream } from '../routing/event-stream-request.js';
import type { GatewayRequest } from '../routing/gateway-request.js';
import { RouteDurations } from './route-durations.js';

/**
 * Records `http_responses_total` by status, `http_request_seconds` by route, and a log line for each write and each server error. There are too many
 * other requests to log them.
 */
export class Traffic {
  /** The answers of each status since the last scrape. Each scrape adds them to the counter: a label lookup per request is too slow. */
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

  registerStreamGauge(count: () => number): void {
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
    // A stream lasts for as long as somebody reads it, which is no measure of speed.
    if (!isEventStream(request) || status !== 200)
      this.durations.observe(request.method, request.routeOptions.url ?? 'none', reply.elapsedTime / 1000);
    const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
    if (!isRead || status >= 500) {
      this.logger.info(
        {
          requestId: request.id,
          // Derived from the request's id, like the trace id that services get (`callerOf`).
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
