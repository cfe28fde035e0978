import { z } from 'zod';

// The kinds of settings. Their error messages are printed after `NAME: `.

const requiredText = () => z.string({ error: 'is missing' });

/** Parses text with `read`; undefined means that the text is invalid, and `expectation` says what it must be. */
function parsed<T>(expectation: string, read: (text: string) => T | undefined) {
  return requiredText().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `must be ${expectation}` });
    return z.NEVER;
  });
}

export const setting = {
  text: () => requiredText(),

  integer: (min: number, max: number) =>
    parsed(`a whole number from ${min} to ${max}`, (text) => {
      const value = Number(text);
      return /^-?\d+$/.test(text) && value >= min && value <= max ? value : undefined;
    }),

  /** 0 lets the system choose a free port. */
  port: () => setting.integer(0, 65_535),

  /** From 0 to 1. */
  ratio: () =>
    parsed('a number from 0 to 1', (text) => {
      const value = Number(text);
      return /^[\d.]+$/.test(text) && value >= 0 && value <= 1 ? value : undefined;
    }),
  flag: () =>
    parsed('true or false', (text) => (text === 'true' ? true : text === 'false' ? false : undefined)),

  choice: <const V extends string>(values: readonly V[]) =>
    parsed(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text)),

  /** An address with one of these schemes (`['postgres', 'postgresql']`). */
  url: (schemes: readonly string[]) =>
    parsed(`an address like ${schemes[0]}://host`, (text) => {
      if (!URL.canParse(text)) return undefined;
      const url = new URL(text);
      return url.host !== '' && schemes.includes(url.protocol.slice(0, -1)) ? text : undefined;
    }),

  /** An address that paths are appended to; slashes at its end are removed. */
  httpUrl: () => setting.url(['http', 'https']).transform((text) => text.replace(/(?<!\/)\/+$/, '')),

  /** Comma-separated; blanks around the parts don't count. */
  list: () =>
    requiredText().transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
};

/** Settings of every process. */
export const processSettings = {
  /** Where `/healthz`, `/readyz` and `/metrics` answer; 0 picks a free port. */
  HEALTH_PORT: setting.port().default(0),
  HEALTH_HOST: setting.text().default('127.0.0.1'),
  LOG_LEVEL: setting.choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Of every process except the page renderer, which does not use Redis. */
  REDIS_URL: setting.url(['redis', 'rediss']),
  /** Where traces are sent (OTLP over HTTP, to `/v1/traces` below it). Without it, nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.httpUrl().optional(),
  /** `name=value`, comma-separated: sent to the collector with the traces. OpenTelemetry's exporter reads it by itself. */
  OTEL_EXPORTER_OTLP_HEADERS: setting.text().optional(),
  /** The share of requests that are traced, from 0 to 1. The gateway decides. */
  OTEL_TRACES_SAMPLER_ARG: setting.ratio().default(1),
};

/** Settings of every process with an HTTP server for clients. */
export const httpSettings = {
  /**
   * How long the process continues to serve after it was told to stop, in milliseconds. Load balancers notice late that it is leaving, and send
   * new connections until then. 0 if there is no load balancer.
   */
  SHUTDOWN_DELAY_MS: setting.integer(0, 600_000).default(0),
};

/** Settings of every service with a database; an app's `config.ts` adds its own. */
export const serviceSettings = {
  ...processSettings,
  DATABASE_URL: setting.url(['postgres', 'postgresql']),
  /** Database connections of one process. */
  DATABASE_POOL_SIZE: setting.integer(2, 200).default(10),
  /** At start: `run` applies missing migrations, `wait` waits until the migration program has applied them. */
  DATABASE_MIGRATIONS: setting.choice(['run', 'wait']).default('run'),
};
