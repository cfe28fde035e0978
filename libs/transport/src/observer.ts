import { Logger } from '@nestjs/common';

/** The transport's logger. A pino logger fits. */
export interface TransportLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * The outcome of a request or an event: `ok`, an error code, `EXPIRED` (dropped without execution), `REFUSED` (from a service that may not
 * make the call), `RETRY` (an event whose handler failed and which will be delivered again) or `DEAD` (now a dead letter).
 */
export type Outcome = string;

/** Hooks for metrics. They must not throw and should return immediately. */
export interface TransportObserver {
  /** A replica finished a request. `ms` is the time in the handler, `waitedMs` the time in the queue before it. */
  onRequest?(pattern: string, ms: number, outcome: Outcome, waitedMs: number): void;
  onEvent?(event: string, ms: number, outcome: Outcome): void;
  /** A caller got its answer or error. `ms` is the whole round trip. */
  onCall?(pattern: string, ms: number, outcome: Outcome): void;
}

/** Nest's own logger, for processes that provide none. */
export function nestLogger(context: string): TransportLogger {
  const logger = new Logger(context);
  const line = (fields: object, message: string) => `${message} ${JSON.stringify(fields)}`;
  return {
    info: (fields, message) => logger.log(line(fields, message)),
    warn: (fields, message) => logger.warn(line(fields, message)),
    error: (fields, message) => logger.error(line(fields, message)),
  };
}

/**
 * An error as log fields: message and stack only. Drivers attach queries and their parameters (hashes, tokens) to the error, and those must
 * not reach a log.
 */
export function errorFields(error: unknown): { error: string } {
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
