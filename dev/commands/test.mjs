// `npm test`: runs everything that CI checks, even in a fresh clone. Ends with the line `N passed, N failed`. `--full` adds `*.full.spec.ts` and
// `*.timed.spec.ts`, and tries every case and variant (libs/testing/src/full-run.ts).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks, Tally } from '../tools/checks.mjs';
import { ensureChromium } from '../tools/chromium.mjs';
import { install } from '../tools/install.mjs';
import { Progress } from '../tools/progress.mjs';
import { build } from './build.mjs';

const progress = new Progress();
const tally = new Tally();
const full = process.argv.includes('--full');
if (full) process.env.TEST_FULL = 'yes';

// Each step starts as soon as what it needs is there, even if another step has failed. All specs wait for the browser, because they run together.
// The checks run at a lower priority than the specs.
const chromium = tally.check(progress, 'Browser', async () => {
  process.env.CHROME_PATH = await ensureChromium(progress);
});
await tally.check(progress, 'Installation', () => install(progress));
const checked = Promise.all(
  Object.entries(checks).map(([name, check]) => tally.check(progress, name, check)),
);
await tally.check(progress, 'Programs', () => build(progress));
await chromium;
// One worker more than CI has cores, because specs often wait. Even more would take more CPU time and not end earlier.
await runSuites(['unit', 'integration', 'e2e', ...(full ? ['full'] : [])], 3);
await checked;
if (full) await runSuites(['timed'], 1);
tally.finish();

async function runSuites(projects, workers) {
  const report = mkdtempSync(join(tmpdir(), 'seo-services-report-'));
  const outputFile = join(report, 'jest.json');
  try {
    const { runJest } = await import('./jest.mjs');
    await runJest([
      ...['--selectProjects', ...projects],
      ...[`--maxWorkers=${workers}`, '--json', `--outputFile=${outputFile}`],
    ]);
    tally.addSpecs(JSON.parse(readFileSync(outputFile, 'utf8')).testResults);
  } catch (error) {
    console.error(error);
    tally.failed += 1;
  } finally {
    rmSync(report, { recursive: true, force: true });
  }
}
