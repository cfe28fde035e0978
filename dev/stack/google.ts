import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../embedded/ports.js';
import { frugal, inheritedBy } from './services.js';
import type { StackSettings } from './settings.js';
import type { StandInPlan } from './stand-in.js';

/** The stand-in for Google: a process of its own, and what identity is told of it. */
export interface GooglePlan extends StandInPlan {
  /** `GOOGLE_CLIENT_ID`, `GOOGLE_CLIENT_SECRET` and `GOOGLE_ISSUER` of this run. */
  client: { id: string; secret: string };
}

/**
 * Undefined when people sign in at the real Google, and when the site has an address that others see: they could not reach a stand-in on
 * this machine, nor should they sign in by one.
 */
export async function planGoogle(
  dist: string,
  settings: StackSettings,
  publicUrl: string,
): Promise<GooglePlan | undefined> {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(publicUrl).hostname);
  if (settings.env.GOOGLE_CLIENT_ID || !isLocal) return undefined;
  const port = await freePort();
  const client = { id: 'the-site-on-this-machine', secret: randomBytes(24).toString('base64url') };
  return {
    name: 'google',
    title: 'The stand-in for Google',
    url: `http://127.0.0.1:${port}`,
    entry: join(dist, 'dev', 'stand-ins', 'google', 'main.js'),
    env: {
      ...inheritedBy(settings),
      GOOGLE_STAND_IN_PORT: String(port),
      GOOGLE_STAND_IN_SITE: publicUrl.replace(/\/$/, ''),
      GOOGLE_CLIENT_ID: client.id,
      GOOGLE_CLIENT_SECRET: client.secret,
    },
    execArgv: frugal,
    port,
    client,
  };
}
