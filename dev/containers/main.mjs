// `npm run test:containers [-- compose|kubernetes]`: builds the images, runs the Compose file and the Kubernetes manifests with podman, and uses them
// as customers and operators do. Ends with the line `N passed, N failed`. OFFICIAL_IMAGES=1 pulls the base images instead of building substitutes.
import { build } from '../commands/build.mjs';
import { Tally } from '../tools/checks.mjs';
import { ensureChromium } from '../tools/chromium.mjs';
import { install } from '../tools/install.mjs';
import { Progress, formatSeconds } from '../tools/progress.mjs';

const began = Date.now();
const progress = new Progress();
const tally = new Tally();
await install(progress);
process.env.CHROME_PATH = await ensureChromium(progress);
await build(progress);
const { testContainers } = await import('../../dist/dev/containers/test-containers.js');
await testContainers(async (name, work) => {
  const failedBefore = tally.failed;
  await tally.check(progress, name, async () => {
    const checkBegan = Date.now();
    const note = await work();
    return `  ${note ? `${note}, ` : ''}${formatSeconds(Date.now() - checkBegan)}`;
  });
  return tally.failed === failedBefore;
}, process.argv[2]);
console.log(`${formatSeconds(Date.now() - began)} in all`);
tally.finish();
process.exit();
