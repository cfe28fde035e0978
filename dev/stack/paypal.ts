import { join } from 'node:path';
import { freePort } from '../embedded/ports.js';
import { smallHeapFlags, inheritedBy } from './services.js';
import type { StackSettings } from './settings.js';
import type { StandInPlan } from './stand-in.js';

/** How to start the PayPal simulator; undefined if customers pay with the real PayPal or its sandbox. */
export async function planPayPalSimulator(
  dist: string,
  settings: StackSettings,
): Promise<StandInPlan | undefined> {
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
    execArgv: smallHeapFlags,
    port,
  };
}
