import { Logger } from '@nestjs/common';

/** A pino logger fits. */
export interface TransportLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * `ok`, an error code, or: `EXPIRED` (dropped without execution), `REFUSED` (the calling service may not make this call), `RETRY` (the event will be
 * delivered again), `DEAD` (now a dead letter).
 */
export type Outcome = string;

/** Hooks for metrics. They must not throw and should return immediately. */
export interface TransportObserver {
  /** `ms` is the time in the handler, `waitedMs` the time in the queue. */
  onRequest?(pattern: string, ms: number, outcome: Outcome, waitedMs: number): void;
  onEvent?(event: string, ms: number, outcome: Outcome): void;
  /** `ms` is the whole round trip. */
  onCall?(pattern: string, ms: number, outcome: Outcome): void;
}

export function nestLogger(context: string): TransportLogger {
  const logger = new Logger(context);
  const line = (fields: object, message: string) => `${message} ${JSON.stringify(fields)}`;
  return {
    info: (fields, message) => logger.log(line(fields, message)),
    warn: (fields, message) => logger.warn(line(fields, message)),
    error: (fields, message) => logger.error(line(fields, message)),
  };
}

/** Message and stack only. Drivers attach queries and their parameters (hashes, tokens) to errors, and those must not reach a log. */
export function errorFields(error: unknown): { error: string } {
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
