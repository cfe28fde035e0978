import type { Contract, EventContract, ServiceName } from '#libs/contracts';
import type { EventContext, RequestContext } from './context.js';
import { ownerOf } from './keys.js';

/** Runs a handler with the application's guards, pipes and interceptors. */
export type RunHandler = (input: unknown, context: RequestContext | EventContext) => Promise<unknown>;

export interface Routes {
  requests: Map<string, { contract: Contract; run: RunHandler }>;
  events: Map<string, { contract: EventContract; run: RunHandler }>;
}

interface NestHandler {
  extras?: Record<string, unknown>;
}

/**
 * Default deny: throws, so that the process does not start, if a handler has no contract and therefore no access rule and no schema. Also throws if
 * the contract is for another service.
 */
export function routesOf<H extends NestHandler>(
  service: ServiceName,
  handlers: Map<string, H>,
  runnerOf: (handler: H) => RunHandler,
): Routes {
  const routes: Routes = { requests: new Map(), events: new Map() };
  for (const [pattern, handler] of handlers) {
    const contract = handler.extras?.contract as Contract | EventContract | undefined;
    if (!contract)
      throw new Error(`${pattern}: declare its handler with @Handles or @OnEvent and a contract`);
    if ('event' in contract) {
      if (contract.follower !== undefined && contract.follower !== service) {
        throw new Error(`${pattern} is for ${contract.follower} only`);
      }
      routes.events.set(pattern, { contract, run: runnerOf(handler) });
    } else if (ownerOf(pattern) === service) {
      routes.requests.set(pattern, { contract, run: runnerOf(handler) });
    } else {
      throw new Error(`${pattern} is not for ${service} to answer`);
    }
  }
  return routes;
}

export function callingServicesOf({ requests }: Routes): ServiceName[] {
  return [...new Set([...requests.values()].flatMap(({ contract }) => contract.callableBy ?? []))];
}
