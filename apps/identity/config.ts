import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { emailAddress } from '#libs/contracts';
import { loadConfig, serviceSettings, setting } from '#libs/platform';
import type { HashingOptions } from './credential/password-hasher.js';

/**
 * Each hash occupies a core and a thread of libuv's pool (of four, unless `UV_THREADPOOL_SIZE` says otherwise). DNS, files and signing need threads
 * as well, so one is left for them. A core is left, too, unless there is only one.
 */
const defaultConcurrency = Math.min(3, Math.max(1, availableParallelism() - 1));

const hashingSettings = {
  /** Per hash. When these change, passwords are rehashed at the next sign-in. */
  ARGON2_MEMORY_KIB: setting.integer(8, 4_194_304).default(19_456),
  ARGON2_PASSES: setting.integer(1, 100).default(2),
  /** Per process, for passwords and recovery codes. Beyond the queue's limit, hashes are refused with 503. */
  HASHING_CONCURRENCY: setting.integer(1, 64).default(defaultConcurrency),
  HASHING_QUEUE_LIMIT: setting.integer(0, 10_000).default(50),
};

/** `localhost` and all names below it (RFC 6761, section 6.3), 127.0.0.1 and ::1. */
const loopback = /^(([a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])$/;

/** Secrets are exchanged with the issuer, so it must be reached by https unless it runs on this machine. */
function isTrustworthyIssuer(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || loopback.test(hostname);
}

const googleSettings = {
  /** The OAuth client from Google Cloud's console. Without it, nobody can sign in with Google. */
  GOOGLE_CLIENT_ID: setting.text().optional(),
  GOOGLE_CLIENT_SECRET: setting.text().optional(),
  GOOGLE_ISSUER: setting
    .url(['http', 'https'])
    .refine(isTrustworthyIssuer, 'must be https, except on this machine')
    .default('https://accounts.google.com'),
  /** How long one request to Google may take. The deadline of `googleContract.finish` allows for three requests of 6 s. */
  GOOGLE_TIMEOUT_MS: setting.integer(100, 6000).default(4000),
};

const keySettings = {
  /** Encrypts private signing keys and the secrets of authenticator apps in the database; without it they are stored as they are. */
  KEY_ENCRYPTION_SECRET: setting.text().min(32, 'must have at least 32 characters').optional(),
};

export const identitySettings = z
  .object({
    ...serviceSettings,
    /** Also the issuer of access tokens. */
    PUBLIC_URL: setting.url(['http', 'https']).transform((url) => new URL(url).href.replace(/\/$/, '')),
    /** On start, if there is no admin, the account of this address becomes one. See `FirstAdminService`. */
    ADMIN_EMAIL: setting
      .text()
      .trim()
      .refine((text) => emailAddress.safeParse(text).success, 'must be an e-mail address')
      .optional(),
    ADMIN_PASSWORD: setting.text().optional(),
    PASSWORD_MIN_LENGTH: setting.integer(6, 128).default(6),
    /** How long a rotated refresh token is still accepted, because two tabs may refresh at the same time. */
    REFRESH_GRACE_SECONDS: setting.integer(0, 300).default(30),
    /** Sensitive changes require a fresh sign-in. */
    FRESH_SIGN_IN_SECONDS: setting.integer(30, 86_400).default(900),
    ...keySettings,
    KEY_ROTATION_DAYS: setting.integer(1, 3650).default(90),
    ...googleSettings,
    ...hashingSettings,
  })
  .refine(
    ({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET }) =>
      (GOOGLE_CLIENT_ID === undefined) === (GOOGLE_CLIENT_SECRET === undefined),
    { path: ['GOOGLE_CLIENT_SECRET'], error: 'must be set together with GOOGLE_CLIENT_ID' },
  );

export type IdentityConfig = z.output<typeof identitySettings>;
export const IDENTITY_CONFIG = Symbol('identity config');

export function identityConfig(): IdentityConfig {
  return loadConfig(identitySettings, process.env);
}

const adminCliSettings = z.object({
  DATABASE_URL: serviceSettings.DATABASE_URL,
  ...keySettings,
  /** The `reseal` command encrypts all stored secrets with this secret instead of KEY_ENCRYPTION_SECRET. */
  NEW_KEY_ENCRYPTION_SECRET: keySettings.KEY_ENCRYPTION_SECRET,
  ...hashingSettings,
});

export function adminCliConfig(): z.output<typeof adminCliSettings> {
  return loadConfig(adminCliSettings, process.env);
}

export function hashingOptions(config: z.output<z.ZodObject<typeof hashingSettings>>): HashingOptions {
  return {
    memoryKiB: config.ARGON2_MEMORY_KIB,
    passes: config.ARGON2_PASSES,
    concurrency: config.HASHING_CONCURRENCY,
    queueLimit: config.HASHING_QUEUE_LIMIT,
  };
}
