import type { FastifyInstance } from 'fastify';
import type { Operation } from '#libs/operations';
import { tableOf } from './operation-table.js';

/**
 * Default deny, at start: registering a route that no operation declares, or whose operation has no policy, throws, so the process
 * does not come up with a door that nobody thought about. Install it before any route is registered.
 */
export function refuseUndeclaredRoutes(fastify: FastifyInstance, operations: readonly Operation[]): void {
  const declared = tableOf(operations);
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) {
      const operation = declared.match(url)?.value.get((name === 'HEAD' ? 'GET' : name) as 'GET');
      if (operation?.path !== url || !operation.policy)
        throw new Error(`${name} ${url} has no declared policy`);
    }
  });
}

/** Throws when a declared operation has no handler. */
export function refuseUnservedOperations(fastify: FastifyInstance, operations: readonly Operation[]): void {
  for (const { method, path } of operations) {
    if (!fastify.hasRoute({ method, url: path }))
      throw new Error(`${method} ${path} is declared but has no handler`);
  }
}
