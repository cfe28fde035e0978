// `npm test`: everything CI checks, on a fresh clone as well. Ends with the line `N passed, N failed`.
// `--full` adds the long schedules (*.full.spec.ts).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks, Tally } from './checks.mjs';
import { Progress } from './progress.mjs';

const progress = new Progress();
const tally = new Tally();
const full = process.argv.includes('--full');

// Each step runs whatever became of the ones before it, as far as it can.
await tally.check(progress, 'Set-up', async () => {
  const { install } = await import('./install.mjs');
  await install(progress);
  const { ensureChromium } = await import('./chromium.mjs');
  process.env.CHROME_PATH = await ensureChromium(progress);
  const { build } = await import('./build.mjs');
  await build(progress);
});
for (const [name, check] of Object.entries(checks)) await tally.check(progress, name, check);
await runSuites(['unit', 'integration', 'e2e', ...(full ? ['full'] : [])], 2);
if (full) await runSuites(['timed'], 1);
tally.finish();

async function runSuites(projects, workers) {
  const report = mkdtempSync(join(tmpdir(), 'seo-services-report-'));
  const outputFile = join(report, 'jest.json');
  try {
    const { runJest } = await import('./jest.mjs');
    await runJest(
      ['--selectProjects', ...projects, `--maxWorkers=${workers}`, '--json', `--outputFile=${outputFile}`],
      {
        quiet: true,
      },
    );
    tally.addJest(JSON.parse(readFileSync(outputFile, 'utf8')));
  } catch (error) {
    console.error(error);
    tally.failed += 1;
  } finally {
    rmSync(report, { recursive: true, force: true });
  }
}
