import { z } from 'zod';

// Error messages are printed after `NAME: `.

const requiredText = () => z.string({ error: 'is missing' });

/** `read` returns undefined for invalid text; `expectation` says what the text must be. */
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

  /** 0 picks a free port. */
  port: () => setting.integer(0, 65_535),

  ratio: () =>
    parsed('a number from 0 to 1', (text) => {
      const value = Number(text);
      return /^[\d.]+$/.test(text) && value >= 0 && value <= 1 ? value : undefined;
    }),
  flag: () =>
    parsed('true or false', (text) => (text === 'true' ? true : text === 'false' ? false : undefined)),

  choice: <const V extends string>(values: readonly V[]) =>
    parsed(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text)),

  url: (schemes: readonly string[]) =>
    parsed(`an address like ${schemes[0]}://host`, (text) => {
      if (!URL.canParse(text)) return undefined;
      const url = new URL(text);
      return url.host !== '' && schemes.includes(url.protocol.slice(0, -1)) ? text : undefined;
    }),

  /** Slashes at the end are removed, because paths are appended. */
  httpUrl: () => setting.url(['http', 'https']).transform((text) => text.replace(/(?<!\/)\/+$/, '')),

  /** Comma-separated. */
  list: () =>
    requiredText().transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
};

export const processSettings = {
  /** For `/healthz`, `/readyz` and `/metrics`; 0 picks a free port. */
  HEALTH_PORT: setting.port().default(0),
  HEALTH_HOST: setting.text().default('127.0.0.1'),
  LOG_LEVEL: setting.choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  REDIS_URL: setting.url(['redis', 'rediss']),
  /** The collector of traces (OTLP over HTTP, at `/v1/traces` below it). Without it, nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.httpUrl().optional(),
  /** `name=value`, comma-separated, for the collector. OpenTelemetry's exporter reads it by itself. */
  OTEL_EXPORTER_OTLP_HEADERS: setting.text().optional(),
  /** The share of traces that are recorded. The process in which a trace begins decides: for a request, the gateway. */
  OTEL_TRACES_SAMPLER_ARG: setting.ratio().default(1),
};

export const httpSettings = {
  /** How long (ms) the process serves after it was told to stop: load balancers send new connections until they notice. 0 without a load balancer. */
  SHUTDOWN_DELAY_MS: setting.integer(0, 600_000).default(0),
};

export const serviceSettings = {
  ...processSettings,
  DATABASE_URL: setting.url(['postgres', 'postgresql']),
  DATABASE_POOL_SIZE: setting.integer(2, 200).default(10),
  /** At start: `run` applies missing migrations, `wait` waits for the migration program. */
  DATABASE_MIGRATIONS: setting.choice(['run', 'wait']).default('run'),
};
