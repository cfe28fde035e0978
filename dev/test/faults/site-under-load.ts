import { afterAll, beforeAll } from '@jest/globals';
import { processNames } from '../../stack/settings.js';
import { Launch, temporaryDataDir } from '../launcher.js';
import { Load } from './load.js';

const twoReplicas = Object.fromEntries(processNames.map((name) => [`REPLICAS_${name.toUpperCase()}`, '2']));
const unlimited = { LIMIT_FORMS: '900000/600', LIMIT_ORDERS: '900000/600', LIMIT_SIGN_UP: '900000/600' };

export interface SiteUnderLoad {
  site: Launch;
  load: Load;
}

/**
 * Call this function in a `describe`. While the tests of the `describe` run, the stack runs under load, with two replicas of each process. The
 * properties of the result are set before the first test.
 */
export function siteUnderLoad(): SiteUnderLoad {
  const dataDir = temporaryDataDir();
  const running = {} as SiteUnderLoad;
  beforeAll(async () => {
    running.site = new Launch(dataDir.path, { ...twoReplicas, ...unlimited });
    await running.site.ready();
    running.load = await Load.start(running.site.stack);
  }, 120_000);
  afterAll(async () => {
    await running.load?.stop();
    await running.site.stop();
    dataDir.remove();
  });
  return running;
}
