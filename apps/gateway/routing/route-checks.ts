import type { FastifyInstance } from 'fastify';
import type { Operation } from '#libs/contracts';
import { tableOf } from './operation-table.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Undefined if no route was found. */
    operation?: Operation;
  }
}

/**
 * Default deny: registering a route whose operation is not declared or has no policy throws. Stores the operation of each accepted route in the
 * route's config. Call this before any route is registered.
 */
export function refuseUndeclaredRoutes(fastify: FastifyInstance, operations: readonly Operation[]): void {
  const declared = tableOf(operations);
  fastify.addHook('onRoute', (route) => {
    const { method, url } = route;
    const operation = declared.match(url)?.value.get((method === 'HEAD' ? 'GET' : method) as 'GET');
    if (operation?.path !== url || !operation.policy)
      throw new Error(`${String(method)} ${url} has no declared policy`);
    route.config = { ...route.config, operation };
  });
}

export function refuseUnservedOperations(fastify: FastifyInstance, operations: readonly Operation[]): void {
  for (const { method, path } of operations) {
    if (!fastify.hasRoute({ method, url: path }))
      throw new Error(`${method} ${path} is declared but has no handler`);
  }
}
