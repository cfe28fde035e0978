import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../embedded/ports.js';
import { smallHeapFlags, inheritedEnv } from './replica-plans.js';
import type { StackSettings } from './settings.js';
import type { StandInPlan } from './stand-in.js';

export interface GoogleStandInPlan extends StandInPlan {
  /** `GOOGLE_CLIENT_ID` and `GOOGLE_CLIENT_SECRET` of this run. */
  client: { id: string; secret: string };
}

/**
 * Undefined if a real Google client is configured, or the site's address is not local. Visitors from other machines could not reach a stand-in, and
 * must not be able to sign in with one.
 */
export async function planGoogleStandIn(
  dist: string,
  settings: StackSettings,
  publicUrl: string,
): Promise<GoogleStandInPlan | undefined> {
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
      ...inheritedEnv(settings),
      GOOGLE_STAND_IN_PORT: String(port),
      GOOGLE_STAND_IN_SITE: publicUrl,
      GOOGLE_CLIENT_ID: client.id,
      GOOGLE_CLIENT_SECRET: client.secret,
    },
    execArgv: smallHeapFlags,
    port,
    client,
  };
}
