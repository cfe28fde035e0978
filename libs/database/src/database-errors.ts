import { DomainError } from '#libs/contracts';

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
]);

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: operator intervention, too many connections, idle transaction ended. */
const serverCodes = new Set(['57P01', '57P02', '57P03', '53300', '25P03']);

/** The pool's message when no connection becomes free in time. */
const poolExhausted = 'timeout exceeded when trying to connect';

/** These errors of `pg` and TypeORM have no code. TypeORM releases the query runner of a lost connection. */
const messages = [
  'Connection terminated',
  poolExhausted,
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Query read timeout',
  'Query runner already released',
  'server closed the connection unexpectedly',
];

/** 57014 is `statement_timeout`, 55P03 is `lock_timeout`. */
const slownessCodes = new Set(['57014', '55P03']);

const conflictCodes = new Set(['40001', '40P01']);

/** Whether Postgres is unreachable, does not answer, is shutting down or has no free connection, or the connection was lost. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) {
    if (networkCodes.has(code) || serverCodes.has(code) || code.startsWith('08')) return true;
  }
  const reason = reasonOf(error);
  const message = reason instanceof Error ? reason.message : '';
  return messages.some((known) => message.includes(known));
}

/** Whether no connection of the pool became free in time. An immediate retry would make the shortage worse. */
export function isPoolExhausted(error: unknown): boolean {
  const reason = reasonOf(error);
  return reason instanceof Error && reason.message.includes(poolExhausted);
}

export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** Serialization failure or deadlock: a retry helps. */
export function isConflictError(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && conflictCodes.has(code);
}

export function isTemporaryDatabaseError(error: unknown): boolean {
  const code = codeOf(error);
  return (
    isConnectionError(error) || isConflictError(error) || (code !== undefined && slownessCodes.has(code))
  );
}

/** Whether a unique index refused the row. `constraint` names the index if a table has several. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false;
  return constraint === undefined || driverErrorOf(error)?.constraint === constraint;
}

/** Turns temporary failures of the database into UNAVAILABLE; other errors stay as they are. */
export function toDomainError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (isTemporaryDatabaseError(error)) {
    const unavailable = new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 });
    unavailable.cause = error;
    return unavailable;
  }
  return error;
}

/** Undoes `toDomainError`. */
function reasonOf(error: unknown): unknown {
  return error instanceof DomainError ? error.cause : error;
}

/** Node reports a refused connection to `localhost` as an AggregateError with an empty message. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(describeError).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}

interface DriverError {
  code?: string;
  constraint?: string;
}

function driverErrorOf(error: unknown): DriverError | undefined {
  const reason = reasonOf(error);
  if (typeof reason !== 'object' || reason === null) return undefined;
  const { driverError } = reason as { driverError?: DriverError };
  return driverError ?? (reason as DriverError);
}

function codeOf(error: unknown): string | undefined {
  const code = driverErrorOf(error)?.code;
  return typeof code === 'string' ? code : undefined;
}
