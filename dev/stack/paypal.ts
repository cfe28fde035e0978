import { join } from 'node:path';
import { freePort } from '../embedded/ports.js';
import { frugal, inheritedBy } from './services.js';
import type { StackSettings } from './settings.js';
import type { StandInPlan } from './stand-in.js';

/** The PayPal simulator; undefined when people pay at the real PayPal or in its sandbox. */
export async function planSimulator(dist: string, settings: StackSettings): Promise<StandInPlan | undefined> {
  if (settings.PAYPAL_MODE !== 'simulator') return undefined;
  const port = await freePort();
  const token = settings.env.PAYPAL_PDT_TOKEN;
  return {
    name: 'paypal',
    title: 'The PayPal simulator',
    url: `http://127.0.0.1:${port}`,
    entry: join(dist, 'dev', 'stand-ins', 'paypal', 'main.js'),
    env: {
      ...inheritedBy(settings),
      PAYPAL_SIMULATOR_PORT: String(port),
      PAYPAL_SIMULATOR_FILE: join(settings.dataDir, 'paypal.json'),
      ...(token && { PAYPAL_PDT_TOKEN: token }),
    },
    execArgv: frugal,
    port,
  };
}
