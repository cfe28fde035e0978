import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { serviceNames } from '#libs/contracts';
import { StackFailure } from './failure.js';

export const processNames = [...serviceNames, 'web', 'gateway'] as const;
export type ProcessName = (typeof processNames)[number];

const integer = (min: number, max: number) =>
  z.string().transform((text, context) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    context.addIssue(`must be a whole number from ${min} to ${max}`);
    return z.NEVER;
  });

const address = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)), {
    error: `must be an address like ${schemes[0]}://host`,
  });

const choice = <const V extends string>(...values: V[]) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const replicas = () => integer(1, 64).default(1);

/** Other settings are passed on to the processes, which parse their own. */
export const stackSettings = z.object({
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
  PUBLIC_URL: address('http', 'https')
    // Slashes at the end are removed, because paths are appended. The lookbehind only avoids slow backtracking.
    .transform((text) => text.replace(/(?<!\/)\/+$/, ''))
    .optional(),
  ADMIN_EMAIL: z.email({ error: 'must be an e-mail address' }).default('admin@example.com'),
  ADMIN_PASSWORD: z.string().min(6, 'must have at least 6 characters').optional(),
  SEED: choice('demo', 'none').default('demo'),
  DEMO_DATA: choice('yes', 'no').default('yes'),
  PAYPAL_MODE: choice('simulator', 'sandbox', 'live').default('simulator'),
  DATABASE_URL: address('postgres', 'postgresql').optional(),
  REDIS_URL: address('redis', 'rediss').optional(),
  SMTP_URL: address('smtp', 'smtps').optional(),
  MAP_EMBED_URL: address('http', 'https').default('https://www.google.com/maps?q={address}&output=embed'),
  LOG_LEVEL: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  REPLICAS_CONTENT: replicas(),
  REPLICAS_ORDERS: replicas(),
  REPLICAS_PROJECTS: replicas(),
  REPLICAS_MESSAGING: replicas(),
  REPLICAS_IDENTITY: replicas(),
  REPLICAS_WEB: replicas(),
  REPLICAS_GATEWAY: replicas(),
});

export type StackSettings = Omit<z.output<typeof stackSettings>, 'DATA_DIR'> & {
  /** An absolute path. */
  dataDir: string;
  /** The environment together with `.env`; includes the processes' settings. */
  env: NodeJS.ProcessEnv;
};

/**
 * Reads the environment and `.env` in `root`; the environment takes precedence. An empty setting counts as not set. Throws a StackFailure that names
 * every invalid setting.
 */
export function readSettings(root: string, env: NodeJS.ProcessEnv): StackSettings {
  const merged = { ...readEnvFile(resolve(root, '.env')), ...env };
  const present = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
  const result = stackSettings.safeParse(present);
  if (!result.success) {
    const faults = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new StackFailure(`These settings cannot be used: ${faults.join('; ')}. See .env.example.`);
  }
  const { DATA_DIR, ...settings } = result.data;
  return { ...settings, dataDir: resolve(root, DATA_DIR), env: present };
}

export function replicaCount(settings: StackSettings, name: ProcessName): number {
  return settings[`REPLICAS_${name.toUpperCase() as Uppercase<ProcessName>}`];
}

/** For a browser on this machine. A site that listens only on one address of the network does not answer on localhost. */
export function siteUrl({ HOST = '::' }: Pick<StackSettings, 'HOST'>, port: number): string {
  const url = `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}`;
  // A URL cannot contain an IPv6 address with a zone, such as `fe80::1%eth0`.
  const hostname = URL.canParse(url) ? new URL(url).hostname : 'localhost';
  const isLocal = ['0.0.0.0', '127.0.0.1', '[::]', '[::1]'].includes(hostname);
  return `http://${isLocal ? 'localhost' : hostname}:${port}`;
}

/** `NAME=value` lines; `#` starts a comment, and quotes preserve spaces and `#`. */
function readEnvFile(path: string): Record<string, string> {
  if (!existsSync(path)) return {};
  const values: Record<string, string> = {};
  for (const line of readFileSync(path, 'utf8').split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#]*))/.exec(line);
    if (match) values[match[1]!] = match[2] ?? match[3] ?? match[4]!.trim();
  }
  return values;
}

/** For replies to project mails. */
export interface ReplySettings {
  /** `INBOUND_MAIL_ADDRESS`. */
  address: string;
  /** `INBOUND_MAIL_SECRET`: signs the mails posted to `/inbound-mail`. */
  secret: string;
}
