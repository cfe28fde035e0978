import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../embedded/ports.js';
import { smallHeapFlags, inheritedEnv } from './replica-plans.js';
import type { ReplySettings, StackSettings } from './settings.js';
import type { StandInPlan } from './stand-in.js';

export interface MailCatcherPlan extends StandInPlan {
  /** `SMTP_URL` of messaging. */
  smtpUrl: string;
}

/** Fills in missing settings for the mail catcher. If a mail server is configured, returns null unless address and secret are set. */
export function prepareReplySettings({ env, SMTP_URL }: StackSettings): ReplySettings | null {
  const { INBOUND_MAIL_ADDRESS: address, INBOUND_MAIL_SECRET: secret } = env;
  if (SMTP_URL !== undefined) return address && secret ? { address, secret } : null;
  return { address: address ?? 'reply@example.com', secret: secret ?? randomBytes(32).toString('hex') };
}

/** Undefined if a mail server is configured. */
export async function planMailCatcher(
  dist: string,
  settings: StackSettings,
  { siteUrl, replies }: { siteUrl: string; replies: ReplySettings | null },
): Promise<MailCatcherPlan | undefined> {
  if (settings.SMTP_URL !== undefined) return undefined;
  const [port, smtpPort] = [await freePort(), await freePort()];
  return {
    name: 'mail',
    title: 'The mail catcher',
    url: `http://127.0.0.1:${port}`,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    entry: join(dist, 'dev', 'stand-ins', 'mail', 'main.js'),
    env: {
      ...inheritedEnv(settings),
      MAIL_CATCHER_PORT: String(port),
      MAIL_CATCHER_SMTP_PORT: String(smtpPort),
      MAIL_CATCHER_FOLDER: join(settings.dataDir, 'mail'),
      ...(replies && { MAIL_CATCHER_SITE_URL: siteUrl, MAIL_CATCHER_REPLY_SECRET: replies.secret }),
    },
    execArgv: smallHeapFlags,
    port,
  };
}
