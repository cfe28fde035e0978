import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.js';
import { rememberLookups } from './remembered-lookups.js';

export interface ShutdownOptions {
  logger: Logger;
  /** Finishes the work, and closes. Then the process exits with 0. */
  stop: () => Promise<void>;
  /** How long (ms) `stop` itself goes on serving before it drains: SHUTDOWN_DELAY_MS. Here, it only extends the timeout. Default 0. */
  delayMs?: number;
  /** How long (ms) draining may take after the delay; then the process exits with 1. Default 10 000. */
  drainTimeoutMs?: number;
}

/**
 * Drains the process once, on SIGTERM, SIGINT, or the loss of a parent with an IPC channel: a killed supervisor must leave no process behind.
 * Ignores repeated signals: Ctrl-C reaches the whole process group, and the supervisor passes it on too.
 *
 * Also calls `rememberLookups`, so that no lookup delays the exit.
 */
export function drainOnSignal({ logger, stop, delayMs = 0, drainTimeoutMs = 10_000 }: ShutdownOptions): void {
  const lookups = rememberLookups();
  let stopping = false;
  const begin = (reason: string) => {
    if (stopping) return;
    stopping = true;
    lookups.freeze();
    logger.info({ reason }, 'Stopping');
    setTimeout(() => {
      // The active resources show what the process still waits for.
      logger.fatal({ drainTimeoutMs, waitingFor: process.getActiveResourcesInfo() }, 'Not drained in time');
      process.exit(1);
    }, delayMs + drainTimeoutMs).unref();
    stop()
      .then(leaveCluster)
      .then(
        () => {
          logger.info('Stopped');
          process.exit(0);
        },
        (error: unknown) => {
          logger.fatal({ err: error }, 'Stopping failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', () => begin('SIGTERM'));
  process.on('SIGINT', () => begin('SIGINT'));
  if (process.connected) process.once('disconnect', () => begin('parent gone'));
}

/**
 * With node:cluster, the supervisor hands out connections. Waits until the supervisor knows that this process takes no more. Otherwise connections on
 * their way here would never be answered.
 */
async function leaveCluster(): Promise<void> {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}

/**
 * For services and migrations: an unhandled error may have left a transaction half done, so the process logs it and exits with 1. Another replica
 * of a service takes over. A request that crashes three replicas becomes a dead letter.
 */
export function crashOnUnhandled(logger: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'Crashed');
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => {
    logger.fatal({ err: reason, origin: 'unhandledRejection' }, 'Crashed');
    process.exit(1);
  });
}

export interface KeepServingOptions {
  logger: Logger;
  metrics: Pick<Metrics, 'unhandledErrors'>;
  isServing: () => boolean;
}

/**
 * For the gateway and the web process, which hold only caches: an unhandled error fails its request, is logged and counted, and the process
 * continues. Otherwise one request that a proxy repeats would crash every replica. While the process starts, the error makes it exit with 1.
 */
export function keepServingOnUnhandled({ logger, metrics, isServing }: KeepServingOptions): void {
  const report = (error: unknown, origin: string) => {
    if (isServing()) {
      metrics.unhandledErrors.inc();
      return logger.error({ err: error, origin }, 'Unhandled error');
    }
    logger.fatal({ err: error, origin }, 'Crashed');
    process.exit(1);
  };
  process.on('uncaughtException', report);
  process.on('unhandledRejection', (reason) => report(reason, 'unhandledRejection'));
}
