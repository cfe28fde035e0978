import type { FastifyInstance } from 'fastify';
import { type Endpoint } from './endpoint.js';
import { tableOf } from './endpoints.js';

/**
 * Default deny, at start: registering a route that no endpoint declares, or whose endpoint has no policy, throws, so the process
 * does not come up with a door that nobody thought about. Install it before any route is registered.
 */
export function refuseUndeclaredRoutes(fastify: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const declared = tableOf(endpoints);
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) {
      const endpoint = declared.match(url)?.value.get((name === 'HEAD' ? 'GET' : name) as 'GET');
      if (endpoint?.path !== url || !endpoint.policy)
        throw new Error(`${name} ${url} has no declared policy`);
    }
  });
}

/** Throws when a declared endpoint has no handler. */
export function refuseUnservedEndpoints(fastify: FastifyInstance, endpoints: readonly Endpoint[]): void {
  for (const { method, path } of endpoints) {
    if (!fastify.hasRoute({ method, url: path }))
      throw new Error(`${method} ${path} is declared but has no handler`);
  }
}
