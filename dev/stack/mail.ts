import { join } from 'node:path';
import { freePort } from '../embedded/ports.js';
import { frugal, inheritedBy } from './services.js';
import type { StackSettings } from './settings.js';
import type { StandInPlan } from './stand-in.js';

export interface CatcherPlan extends StandInPlan {
  /** What messaging takes for its mail server. */
  smtpUrl: string;
}

/** The mail catcher; undefined when mail goes to a server of the operator's. */
export async function planCatcher(dist: string, settings: StackSettings): Promise<CatcherPlan | undefined> {
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
    execArgv: frugal,
    port,
  };
}
