import { afterAll, beforeAll } from '@jest/globals';
import { Launch, temporaryDataDir } from '../launcher.js';
import { Load } from './load.js';

/** The names under `services` in stack.json, which include the web process and the gateway. */
export const services = ['content', 'orders', 'projects', 'messaging', 'identity', 'web', 'gateway'] as const;

const twoReplicas = Object.fromEntries(services.map((name) => [`REPLICAS_${name.toUpperCase()}`, '2']));
const unlimited = { LIMIT_FORMS: '900000/600', LIMIT_ORDERS: '900000/600', LIMIT_SIGN_UP: '900000/600' };

export interface SiteUnderLoad {
  site: Launch;
  load: Load;
}

/**
 * Call it in a `describe`: while the tests in there run, the whole stack runs under load, with two replicas of each of `services`. The properties
 * of the result are set before the first test.
 */
export function siteUnderLoad(): SiteUnderLoad {
  const data = temporaryDataDir();
  const running = {} as SiteUnderLoad;
  beforeAll(async () => {
    running.site = new Launch(data.path, { ...twoReplicas, ...unlimited });
    await running.site.ready();
    running.load = await Load.start(running.site.stack);
  }, 120_000);
  afterAll(async () => {
    await running.load?.stop();
    await running.site.stop();
    data.remove();
  });
  return running;
}
