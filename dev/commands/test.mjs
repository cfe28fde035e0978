// `npm test`: runs everything that CI checks, even in a fresh clone. Ends with the line `N passed, N failed`.
// `--full` adds the long tests (*.full.spec.ts), and tries every case and variant (libs/testing/src/full-run.ts).
//
// A spec file that fails is run once more by itself, and the second result counts, because a two-core machine sometimes stalls during
// thousands of tests. Such a file is named at the end: it is a defect to fix. When more than a few fail, nothing is run again.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { checks, Tally } from '../tools/checks.mjs';
import { Progress } from '../tools/progress.mjs';
import { root } from '../tools/root.mjs';

const progress = new Progress();
const tally = new Tally();
const full = process.argv.includes('--full');
const runAgainAtMost = 5;
const unsteady = [];
// See libs/testing/src/full-run.ts.
if (full) process.env.TEST_FULL = 'yes';

// Each step runs even if an earlier one has failed.
await tally.check(progress, 'Set-up', async () => {
  const { install } = await import('../tools/install.mjs');
  await install(progress);
  const { ensureChromium } = await import('../tools/chromium.mjs');
  process.env.CHROME_PATH = await ensureChromium(progress);
  const { build } = await import('./build.mjs');
  await build(progress);
});
// The checks and the specs run at the same time, with more workers than CI has cores, because specs often wait: for the next poll, for leases
// to expire, for pages to render.
const checked = Promise.all(
  Object.entries(checks).map(([name, check]) => tally.check(progress, name, check)),
);
await runSuites(['unit', 'integration', 'e2e', ...(full ? ['full'] : [])], 4);
await checked;
if (full) await runSuites(['timed'], 1);
if (unsteady.length > 0) console.log(`\nUnsteady, passed at the second try: ${unsteady.join(', ')}`);
tally.finish();

async function runSuites(projects, workers) {
  try {
    const first = await run(projects, workers);
    const fallen = first.filter(({ status }) => status === 'failed').map(({ name }) => name);
    if (fallen.length === 0 || fallen.length > runAgainAtMost) return tally.addSpecs(first);
    console.log(`\nRunning once more, alone: ${fallen.map(short).join(', ')}\n`);
    const second = await run(projects, 1, fallen);
    tally.addSpecs(first.filter(({ name }) => !fallen.includes(name)));
    tally.addSpecs(second);
    for (const { name, status } of second) if (status === 'passed') unsteady.push(short(name));
  } catch (error) {
    console.error(error);
    tally.failed += 1;
  }
}

/** Runs the specs of these projects, or only the files named, and gives jest's result of each file. */
async function run(projects, workers, files = []) {
  const report = mkdtempSync(join(tmpdir(), 'seo-services-report-'));
  const outputFile = join(report, 'jest.json');
  try {
    const { runJest } = await import('./jest.mjs');
    const selection = [
      ...(files.length > 0 ? ['--runTestsByPath', ...files] : []),
      '--selectProjects',
      ...projects,
    ];
    await runJest([...selection, `--maxWorkers=${workers}`, '--json', `--outputFile=${outputFile}`]);
    return JSON.parse(readFileSync(outputFile, 'utf8')).testResults;
  } finally {
    rmSync(report, { recursive: true, force: true });
  }
}

function short(file) {
  return relative(root, file);
}
