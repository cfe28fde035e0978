import { join } from 'node:path';
import { freePort } from '../embedded/ports.js';
import { smallHeapFlags, inheritedEnv } from './replica-plans.js';
import type { StackSettings } from './settings.js';
import type { StandInPlan } from './stand-in.js';

/** Undefined if customers pay with the real PayPal or its sandbox. */
export async function planPayPalSimulator(
  dist: string,
  settings: StackSettings,
  publicUrl: string,
): Promise<StandInPlan | undefined> {
  if (settings.PAYPAL_MODE !== 'simulator') return undefined;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { PAYPAL_PDT_TOKEN, PAYPAL_CLIENT_SECRET } = settings.env;
  return {
    name: 'paypal',
    title: 'The PayPal simulator',
    url,
    entry: join(dist, 'dev', 'stand-ins', 'paypal', 'main.js'),
    env: {
      ...inheritedEnv(settings),
      PAYPAL_SIMULATOR_PORT: String(port),
      PAYPAL_SIMULATOR_FILE: join(settings.dataDir, 'paypal.json'),
      PAYPAL_SIMULATOR_URL: url,
      PAYPAL_WEBHOOK_URL: `${publicUrl}/paypal/webhook`,
      // `inheritedEnv` leaves out these secrets.
      ...(PAYPAL_PDT_TOKEN && { PAYPAL_PDT_TOKEN }),
      ...(PAYPAL_CLIENT_SECRET && { PAYPAL_CLIENT_SECRET }),
    },
    execArgv: smallHeapFlags,
    port,
  };
}
