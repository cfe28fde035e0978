import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.js';
import { rememberLookups } from './remembered-lookups.js';

export interface ShutdownOptions {
  logger: Logger;
  /** Stops taking work, finishes what is under way, and closes. Then the process exits with 0. */
  stop: () => Promise<void>;
  /** How long `stop` continues to serve before it drains, in milliseconds (SHUTDOWN_DELAY_MS). Default 0. */
  delayMs?: number;
  /** How long draining may take after the delay, in milliseconds; then the process exits with 1. Default 10 000. */
  drainTimeoutMs?: number;
}

/**
 * Drains the process once, on the first of: SIGTERM, SIGINT, or the loss of the parent that spawned it with an IPC
 * channel (a killed supervisor must leave no process behind). Repeated signals change nothing: Ctrl-C reaches a whole
 * process group, and the supervisor passes it on as well.
 *
 * From this call on the process remembers the addresses of hosts (`rememberLookups`), so that no lookup delays its exit.
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
      // The names of Node's active resources show what the process is still waiting for.
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
 * A process that shares its port with others gets its connections from its supervisor (node:cluster). This waits until the supervisor knows that
 * this process takes no more: connections on their way here go to another process. If this process just exited, they would never be answered.
 */
async function leaveCluster(): Promise<void> {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}

/**
 * For a process with transactions (the services): an unhandled error may have left a transaction half done, so the process logs it and
 * exits with 1. Another replica takes over its work; a request that crashes three replicas becomes a dead letter.
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
 * For a process that holds only caches (gateway, page renderer): once it serves, an unhandled error fails the request it belongs to, is logged
 * and counted, and the process continues to serve. Otherwise one request that a proxy repeats would crash every replica. While the process
 * starts, an unhandled error makes it exit with 1.
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
