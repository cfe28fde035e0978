import { type DestinationStream, type Logger, pino } from 'pino';
import type { LevelWithSilent } from 'pino';

export type { Logger } from 'pino';
export type LogLevel = LevelWithSilent;

export const LOGGER = Symbol('logger');

let readTraceId: () => string | undefined = () => undefined;

/** Adds to each line the id of its trace, if there is one. */
export function logTraceIds(read: () => string | undefined): void {
  readTraceId = read;
}

const redacted = '[redacted]';
const secretName =
  /pass(word|wd|phrase)?$|secret|token|cookie|authorization|credential|api-?key|private-?key/i;
/** Objects and arrays that are nested deeper are logged as `[deep]`. */
const maxDepth = 6;

/**
 * One JSON object per line on stdout: `level`, `time` (ISO 8601, UTC), `service`, `pid`, `msg` and what the caller adds. Redacts fields named like
 * secrets at any depth, and passwords in URLs. Text from outside cannot forge a line or a terminal sequence, because control characters are escaped.
 */
export function createLogger(
  name: string,
  level: LogLevel = 'info',
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: { service: name, pid: process.pid },
      mixin: () => {
        const traceId = readTraceId();
        return traceId === undefined ? {} : { traceId };
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields, 0) as Record<string, unknown>,
      },
      // `redact` has converted errors: pino's own serializer would replace their type and leave out their cause.
      serializers: { err: (value: unknown) => value },
      hooks: { streamWrite: (line) => escapeControls(maskUrlPasswords(line)) },
    },
    destination,
  );
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return describe(value, depth);
  if (value instanceof Date || Buffer.isBuffer(value)) return value;
  if (depth >= maxDepth) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const clean: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    clean[key] = secretName.test(key) ? redacted : redact(item, depth + 1);
  }
  return clean;
}

/** Keeps only these properties of the error, because others of a database error contain the statement's values. */
function describe(error: Error, depth: number): Record<string, unknown> {
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    ...(error.cause !== undefined && depth < maxDepth && { cause: redact(error.cause, depth + 1) }),
  };
}

function maskUrlPasswords(line: string): string {
  if (!line.includes('://')) return line;
  return line.replace(/(:\/\/[^\s:/@"]*):[^\s/@"]+@/g, '$1:***@');
}

/** JSON does not escape DEL, the C1 controls and the Unicode line separators, but some terminals act on them. */
function escapeControls(line: string): string {
  return line.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
