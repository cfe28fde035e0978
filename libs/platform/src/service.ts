import type { Logger } from 'pino';
import { createLogger } from './logger.js';
import type { RunningService, ServiceOptions } from './service-runtime.js';
import { crashOnUnhandled, drainOnSignal } from './shutdown.js';

export type { RunningService, ServiceOptions } from './service-runtime.js';

/** Called by each service's `main.ts`: runs the service until it is told to stop, then exits with 0. */
export async function runService(options: ServiceOptions): Promise<void> {
  const logger = createLogger(options.name, options.config.LOG_LEVEL);
  crashOnUnhandled(logger);
  let running: RunningService | undefined;
  // If it is told to stop while it starts, there is nothing to finish, and it exits immediately.
  drainOnSignal({ logger, stop: async () => running?.close() });
  try {
    running = await startService({ ...options, logger });
  } catch (error) {
    logger.fatal({ err: error }, error instanceof Error ? error.message : 'Cannot start');
    process.exit(1);
  }
}

/**
 * Starts a service in this process without touching the process (no signal handlers, no exit): for `runService` and
 * for tests. Its module may inject `DataSource`, `Outbox`, `Inbox` (from `DatabaseModule`), `Broadcaster`, `Metrics`,
 * `Clock` and the logger (`@Inject(LOGGER)`).
 */
export async function startService(options: ServiceOptions & { logger?: Logger }): Promise<RunningService> {
  // Loaded only here: the gateway and the renderer use this library too, and should not have a database driver in memory.
  const { openService } = await import('./service-runtime.js');
  const logger = options.logger ?? createLogger(options.name, options.config.LOG_LEVEL);
  return openService({ ...options, logger });
}
