import type { OnApplicationBootstrap, OnModuleDestroy, Provider, Type } from '@nestjs/common';
import { isConnectionError } from '#libs/database';
import { PeriodicTask } from '#libs/runtime';
import { LOGGER, type Logger } from './logger.js';

/**
 * A provider that repeats `work` (see `PeriodicTask`). The database stays open until the last run has ended. After a failure, the next run comes as
 * usual. Logs `failureMessage` unless Postgres is unreachable.
 */
export function repeatedWork<T>(
  workerClass: Type<T>,
  everyMs: number,
  work: (worker: T) => Promise<unknown>,
  failureMessage: string,
): Provider {
  return {
    provide: Symbol(`${workerClass.name} repeated`),
    inject: [workerClass, LOGGER],
    useFactory: (worker: T, logger: Logger): OnApplicationBootstrap & OnModuleDestroy => {
      const task = new PeriodicTask({
        everyMs,
        run: () => work(worker),
        onError: (error) => {
          // The readiness check reports an unreachable Postgres.
          if (!isConnectionError(error)) logger.error({ err: error }, failureMessage);
        },
      });
      return { onApplicationBootstrap: () => task.start(), onModuleDestroy: () => task.stop() };
    },
  };
}
