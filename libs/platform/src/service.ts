import type { Logger } from 'pino';
import { createLogger } from './logger.js';
import type { RunningService, ServiceOptions } from './service-runtime.js';
import { crashOnUnhandled, drainOnSignal } from './shutdown.js';

export type { RunningService, ServiceOptions } from './service-runtime.js';

/** Runs a service until it is told to stop. Exits with 0, or with 1 after a failure. */
export async function runService(options: ServiceOptions): Promise<void> {
  const logger = createLogger(options.name, options.config.LOG_LEVEL);
  crashOnUnhandled(logger);
  let running: RunningService | undefined;
  // A service that is still starting has nothing to finish, and exits immediately.
  drainOnSignal({ logger, stop: async () => running?.close() });
  try {
    running = await startService({ ...options, logger });
  } catch (error) {
    logger.fatal({ err: error }, error instanceof Error ? error.message : 'Cannot start');
    process.exit(1);
  }
}

/**
 * Starts a service without touching the process (no signal handlers, no exit). Its module may inject `Broadcaster`, `Metrics`, `Clock`, the logger
 * (`@Inject(LOGGER)`), and what `DatabaseModule` exports.
 */
export async function startService(options: ServiceOptions & { logger?: Logger }): Promise<RunningService> {
  // Loaded only here, to keep a database driver out of the memory of the gateway and the web process.
  const { openService } = await import('./service-runtime.js');
  const logger = options.logger ?? createLogger(options.name, options.config.LOG_LEVEL);
  return openService({ ...options, logger });
}
