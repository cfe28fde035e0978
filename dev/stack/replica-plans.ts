import { join } from 'node:path';
import { freePort } from '../embedded/ports.js';
import type { DatabaseUrls } from './databases.js';
import type { AdminSignIn } from './first-admin.js';
import type { RedisUrls } from './redis-users.js';
import type { ReplicaOptions } from './replica.js';
import {
  type ProcessName,
  processNames,
  replicaCount,
  type ReplySettings,
  type StackSettings,
} from './settings.js';

export interface ReplicaPlan extends Pick<
  ReplicaOptions,
  'label' | 'entry' | 'env' | 'execArgv' | 'healthPort' | 'sharesPort'
> {
  name: ProcessName;
}

export interface StackContext {
  settings: StackSettings;
  port: number;
  publicUrl: string;
  redisUrls: RedisUrls;
  databases: DatabaseUrls;
  admin: AdminSignIn;
  /** The simulator's address; null if it is not used. */
  paypalUrl: string | null;
  /** The stand-in; null if it is not used. */
  google: { url: string; client: { id: string; secret: string } } | null;
  smtpUrl: string;
  /** Null if replies to project mails are not set up. */
  replies: ReplySettings | null;
}

/**
 * Node sizes its heap for the machine. With these limits a service takes 90 MB of memory instead of 170, and is as fast. The gateway produces much
 * garbage under load and runs without them.
 */
export const smallHeapFlags = ['--max-old-space-size=256', '--max-semi-space-size=4'];

export async function planReplicas(dist: string, context: StackContext): Promise<ReplicaPlan[]> {
  const webPort = await freePort();
  const plans: ReplicaPlan[] = [];
  for (const name of processNames) {
    const count = replicaCount(context.settings, name);
    for (let number = 1; number <= count; number++) {
      const healthPort = await freePort();
      const env = { ...environmentOf(name, context, webPort), HEALTH_PORT: String(healthPort) };
      plans.push({
        name,
        label: number === 1 ? name : `${name} ${number}`,
        entry: join(dist, name === 'web' ? 'web/renderer/main.js' : `bundle/${name}.js`),
        env,
        execArgv: name === 'gateway' ? [] : smallHeapFlags,
        healthPort,
        // The other processes get their requests from Redis.
        sharesPort: count > 1 && (name === 'gateway' || name === 'web'),
      });
    }
  }
  return plans;
}

const defaultSender = 'hello@example.com';

/** Only the processes that need these settings get them. */
const notInherited = [
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'REDIS_URL',
  'KEY_ENCRYPTION_SECRET',
  'PAYPAL_PDT_TOKEN',
  'PAYPAL_CLIENT_SECRET',
  'IMAGES_S3_SECRET_ACCESS_KEY',
  'GOOGLE_CLIENT_SECRET',
  'SMTP_URL',
  'DKIM_PRIVATE_KEY',
  'MAIL_BOUNCE_TOKEN',
  'MAIL_EVENTS_SECRET',
  'INBOUND_MAIL_ADDRESS',
  'INBOUND_MAIL_SECRET',
];

function environmentOf(name: ProcessName, context: StackContext, webPort: number): NodeJS.ProcessEnv {
  const { settings, port, publicUrl, redisUrls, databases, admin, paypalUrl, google, smtpUrl, replies } =
    context;
  const common = {
    ...inheritedEnv(settings),
    NODE_ENV: 'production',
    LOG_LEVEL: settings.LOG_LEVEL,
    PUBLIC_URL: publicUrl,
    HEALTH_HOST: '127.0.0.1',
  };
  const paypal = {
    PAYPAL_MODE: settings.PAYPAL_MODE,
    ...(paypalUrl !== null && { PAYPAL_SIMULATOR_URL: paypalUrl }),
  };
  if (name === 'web' || name === 'gateway') {
    const shared = { ...common, MAP_EMBED_URL: settings.MAP_EMBED_URL };
    if (name === 'web') {
      return {
        ...shared,
        ...(google && { GOOGLE_CLIENT_ID: google.client.id }),
        WEB_PORT: String(webPort),
        WEB_HOST: '127.0.0.1',
      };
    }
    const upstream = { REDIS_URL: redisUrls.gateway, WEB_URL: `http://127.0.0.1:${webPort}` };
    return {
      ...shared,
      ...paypal,
      ...upstream,
      ...storageEnv(settings),
      PORT: String(port),
      ...(replies && { INBOUND_MAIL_SECRET: replies.secret }),
    };
  }
  const service = { ...common, REDIS_URL: redisUrls[name], DATABASE_URL: databases[name] };
  if (name === 'content') return { ...service, SEED: settings.SEED };
  if (name === 'orders') {
    const { PAYPAL_PDT_TOKEN, PAYPAL_CLIENT_SECRET } = settings.env;
    return {
      ...service,
      ...paypal,
      ...storageEnv(settings),
      SEED: settings.SEED,
      ...(PAYPAL_PDT_TOKEN && { PAYPAL_PDT_TOKEN }),
      ...(PAYPAL_CLIENT_SECRET && { PAYPAL_CLIENT_SECRET }),
    };
  }
  if (name === 'projects') {
    const replyAddress = replies && { INBOUND_MAIL_ADDRESS: replies.address };
    return { ...service, ...storageEnv(settings), ...replyAddress };
  }
  if (name === 'messaging') {
    const { DKIM_PRIVATE_KEY, MAIL_BOUNCE_TOKEN, MAIL_EVENTS_SECRET } = settings.env;
    return {
      ...service,
      SMTP_URL: smtpUrl,
      MAIL_FROM: settings.env.MAIL_FROM ?? defaultSender,
      ...(DKIM_PRIVATE_KEY && { DKIM_PRIVATE_KEY }),
      ...(MAIL_BOUNCE_TOKEN && { MAIL_BOUNCE_TOKEN }),
      ...(MAIL_EVENTS_SECRET && { MAIL_EVENTS_SECRET }),
    };
  }
  // Only identity is left.
  const encryptionSecret = settings.env.KEY_ENCRYPTION_SECRET;
  const googleSecret = settings.env.GOOGLE_CLIENT_SECRET;
  return {
    ...service,
    ADMIN_EMAIL: admin.email,
    ...(admin.password && { ADMIN_PASSWORD: admin.password }),
    ...(encryptionSecret && { KEY_ENCRYPTION_SECRET: encryptionSecret }),
    ...(googleSecret && { GOOGLE_CLIENT_SECRET: googleSecret }),
    ...(google && {
      GOOGLE_ISSUER: google.url,
      GOOGLE_CLIENT_ID: google.client.id,
      GOOGLE_CLIENT_SECRET: google.client.secret,
    }),
  };
}

/** The other settings of the file storage are inherited. */
function storageEnv({ env, dataDir }: StackSettings): NodeJS.ProcessEnv {
  const secret = env.IMAGES_S3_SECRET_ACCESS_KEY;
  return {
    IMAGES_DIR: env.IMAGES_DIR ?? join(dataDir, 'images'),
    ...(secret && { IMAGES_S3_SECRET_ACCESS_KEY: secret }),
  };
}

/** Without npm's variables and the settings in `notInherited`. */
export function inheritedEnv({ env }: StackSettings): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([key]) => !notInherited.includes(key) && !key.startsWith('npm_')),
  );
}
