import type { FastifyRequest } from 'fastify';

export function isEventStream({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.operation?.mediaType === 'text/event-stream';
}
