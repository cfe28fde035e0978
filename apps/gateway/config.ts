import { isIP } from 'node:net';
import { z } from 'zod';
import { fileStorageSettings, requireBucketKeys } from '#libs/file-storage';
import { httpSettings, loadConfig, processSettings, setting } from '#libs/platform';
import { checkoutSettings } from './checkout-settings.js';

/** `300/600`: at most 300 calls within 600 seconds. */
export interface Limit {
  count: number;
  windowSeconds: number;
}

function readLimit(text: string): Limit | undefined {
  const [, count, seconds] = /^(\d{1,6})\/(\d{1,5})$/.exec(text) ?? [];
  const limit = { count: Number(count), windowSeconds: Number(seconds) };
  return limit.count > 0 && limit.windowSeconds > 0 ? limit : undefined;
}

const limit = () =>
  setting.text().transform((text, context) => {
    const read = readLimit(text);
    if (read) return read;
    context.addIssue('must be a number of calls and a number of seconds, like 300/600');
    return z.NEVER;
  });

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
}

function isProxyAddress(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

const allAre = (accepted: (text: string) => boolean) => (texts: string[]) => texts.every(accepted);

const settings = z.object({
  ...processSettings,
  ...httpSettings,
  PORT: setting.port().default(3000),
  HOST: setting.text().default('0.0.0.0'),
  /** Absolute addresses derive from this, never from the header `Host` of a request. */
  PUBLIC_URL: setting.httpUrl().optional(),
  /** The address of the web process. */
  WEB_URL: setting.httpUrl(),
  /** Other sites whose pages may call the API. */
  CORS_ORIGINS: setting
    .list()
    .refine(
      allAre((text) => text === '*' || isOrigin(text)),
      'must be origins like https://example.com, or *',
    )
    .default([]),
  TRUSTED_PROXIES: setting
    .list()
    .refine(allAre(isProxyAddress), 'must be IP addresses, or networks like 10.0.0.0/8')
    .default([]),
  /** Bytes. The default is enough for a record in which every text has the maximum length and every character is escaped. */
  BODY_LIMIT_BYTES: setting.integer(1024, 64 * 1024 * 1024).default(1024 * 1024),
  /** The map of the contact page. All pages and screens may frame its origin. */
  MAP_EMBED_URL: setting.url(['http', 'https']).optional(),
  /** Calls per client network, like all `LIMIT_` settings. */
  LIMIT_SIGN_IN: limit().default({ count: 300, windowSeconds: 600 }),
  /** Passkey challenges: each visit to the login screen requests one. */
  LIMIT_CHALLENGES: limit().default({ count: 1200, windowSeconds: 600 }),
  LIMIT_SIGN_UP: limit().default({ count: 300, windowSeconds: 600 }),
  /** Calls that request a mail about an account, or an invitation to a team. */
  LIMIT_MAIL: limit().default({ count: 100, windowSeconds: 600 }),
  LIMIT_FORMS: limit().default({ count: 300, windowSeconds: 600 }),
  LIMIT_ORDERS: limit().default({ count: 600, windowSeconds: 600 }),
  LIMIT_PAYMENTS: limit().default({ count: 1200, windowSeconds: 600 }),
  /** Providers send all notifications from a few addresses. */
  LIMIT_NOTICES: limit().default({ count: 1200, windowSeconds: 60 }),
  /** Reports of bounces and complaints, and received mails. */
  LIMIT_MAIL_REPORTS: limit().default({ count: 600, windowSeconds: 60 }),
  /** Signs the mails posted to `/inbound-mail`. Without it, they are refused. */
  INBOUND_MAIL_SECRET: setting
    .text()
    .min(32, 'must have at least 32 characters')
    .max(500, 'must have at most 500 characters')
    .optional(),
  ...checkoutSettings,
  /** Milliseconds that the web process may take for an answer. */
  WEB_TIMEOUT_MS: setting.integer(100, 600_000).default(10_000),
  /** Milliseconds that a client may take to send a body that is not streamed. */
  REQUEST_TIMEOUT_MS: setting.integer(1000, 600_000).default(30_000),
  ...fileStorageSettings,
  /** Bytes. The default fits the pictures of a phone's camera. */
  IMAGE_LIMIT_BYTES: setting.integer(1024, 256 * 1024 * 1024).default(20 * 1024 * 1024),
  /** The default fits the pictures of a phone's camera. */
  IMAGE_LIMIT_MEGAPIXELS: setting.integer(1, 500).default(50),
  /**
   * Milliseconds that a client may take to send a picture or a part of a project file. The default is enough for the largest picture at 600 kbit/s.
   */
  IMAGE_TIMEOUT_MS: setting.integer(1000, 3_600_000).default(300_000),
});

export const gatewaySettings = settings.superRefine(requireBucketKeys);

export type GatewayConfig = z.output<typeof gatewaySettings>;

export const GATEWAY_CONFIG = Symbol('gateway config');

/** If settings are invalid, reports all of them together and exits. */
export function loadGatewayConfig(): GatewayConfig {
  return loadConfig(gatewaySettings, process.env);
}
