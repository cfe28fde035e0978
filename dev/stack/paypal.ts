import { join } from 'node:path';
import { freePort } from '../embedded/ports.js';
import { frugal, inheritedBy } from './services.js';
import type { StackSettings } from './settings.js';

/** The PayPal simulator: a process of its own, at an address of its own. */
export interface SimulatorPlan {
  /** On 127.0.0.1, as the site is on localhost: cookies belong to a host, whatever the port. */
  url: string;
  entry: string;
  env: NodeJS.ProcessEnv;
  execArgv: string[];
  port: number;
}

/** Undefined when people pay at the real PayPal or in its sandbox. */
export async function planSimulator(
  dist: string,
  settings: StackSettings,
): Promise<SimulatorPlan | undefined> {
  if (settings.PAYPAL_MODE !== 'simulator') return undefined;
  const port = await freePort();
  const token = settings.env.PAYPAL_PDT_TOKEN;
  return {
    url: `http://127.0.0.1:${port}`,
    entry: join(dist, 'dev', 'paypal', 'main.js'),
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
