import type { FastifyReply } from 'fastify';
import { tracing } from '#libs/transport';
import { isEventStream } from '../routing/event-stream-request.js';
import type { GatewayRequest } from '../routing/gateway-request.js';

/** The `onRequest` hook of `FrontDoor`. */
type Admit = (request: GatewayRequest, reply: FastifyReply, pass: (error?: Error) => void) => void;

/**
 * Adds a span for each HTTP request. Its trace id is the request's id without dashes, so the `requestId` of a problem leads to the trace. The span
 * records the route, never the parameters.
 */
export function withSpans(admit: Admit): Admit {
  return (request, reply, pass) => {
    const { method, id, routeOptions } = request;
    const route = routeOptions.url ?? 'none';
    const span = tracing.current?.begin({
      kind: 'server',
      name: `${method} ${route}`,
      traceId: id.replaceAll('-', ''),
      attributes: { 'http.request.method': method, 'http.route': route },
    });
    if (!span) return admit(request, reply, pass);
    request.traceparent = span.traceparent;
    reply.raw.once('close', () => {
      const { statusCode: status, writableFinished } = reply.raw;
      // Clients end an event stream by disconnecting.
      const isAborted = !writableFinished && !isEventStream(request);
      const failure = isAborted ? 'aborted' : status >= 500 ? String(status) : undefined;
      span.end(failure, { 'http.response.status_code': status });
    });
    span.run(() => admit(request, reply, pass));
  };
}
