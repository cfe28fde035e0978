import { z } from 'zod';
import { httpSettings, loadConfig, processSettings, setting } from '#libs/platform';

const { HEALTH_PORT, HEALTH_HOST, LOG_LEVEL } = processSettings;
const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER_ARG } = processSettings;

export const webSettings = z.object({
  HEALTH_PORT,
  HEALTH_HOST,
  LOG_LEVEL,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_EXPORTER_OTLP_HEADERS,
  OTEL_TRACES_SAMPLER_ARG,
  ...httpSettings,
  WEB_PORT: setting.port().default(0),
  WEB_HOST: setting.text().default('127.0.0.1'),
  /** For absolute addresses in shells. For a page, the render request contains the site's address. */
  PUBLIC_URL: setting.httpUrl().default('http://localhost:3000'),
  /** The URL of the contact page's map. The postal address replaces `{address}` in it, or is appended. Without this setting, there is no map. */
  MAP_EMBED_URL: setting.url(['http', 'https']).optional(),
  /** Set if people can sign in with Google. */
  GOOGLE_CLIENT_ID: setting.text().optional(),
  /** Shown in forms; the identity service enforces its own setting. */
  PASSWORD_MIN_LENGTH: setting.integer(6, 128).default(6),
});

export type WebConfig = z.output<typeof webSettings>;

/** If a setting is invalid, prints what is wrong and exits. */
export const readWebConfig = (): WebConfig => loadConfig(webSettings, process.env);
