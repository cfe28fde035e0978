import type { FastifyRequest } from 'fastify';

/** Whether the request is answered with server-sent events, for as long as its client reads them. */
export function isEventStream({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.operation?.mediaType === 'text/event-stream';
}
