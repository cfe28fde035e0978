import { join } from 'node:path';
import { freePort } from '../embedded/ports.js';
import { smallHeapFlags, inheritedBy } from './services.js';
import type { StackSettings } from './settings.js';
import type { StandInPlan } from './stand-in.js';

export interface MailCatcherPlan extends StandInPlan {
  /** The address of the mail server for messaging. */
  smtpUrl: string;
}

/** How to start the mail catcher; undefined if a mail server is configured. */
export async function planMailCatcher(
  dist: string,
  settings: StackSettings,
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
      ...inheritedBy(settings),
      MAIL_CATCHER_PORT: String(port),
      MAIL_CATCHER_SMTP_PORT: String(smtpPort),
      MAIL_CATCHER_FOLDER: join(settings.dataDir, 'mail'),
    },
    execArgv: smallHeapFlags,
    port,
  };
}
