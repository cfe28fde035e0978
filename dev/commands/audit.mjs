// `npm run audit [-- http://a-running-site]`: runs Lighthouse on four public pages, simulating a phone and a desktop.
import '../tools/register-swc.mjs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../tools/install.mjs';
import { root } from '../tools/root.mjs';

const auditedPages = ['/', '/pricing/', '/service/', '/contact'];
const formFactors = ['mobile', 'desktop'];
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];

function summary(path, formFactor, { audits, categories: scored, configSettings }) {
  const scores = Object.fromEntries(
    Object.entries(scored).map(([id, { score }]) => [id, Math.round(score * 100)]),
  );
  const value = (id) => audits[id]?.numericValue;
  const faults = Object.values(scored)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9)
    .map(({ id }) => `${id}: ${audits[id].displayValue ?? audits[id].title}${formatFirstItems(audits[id])}`);
  return {
    path,
    formFactor,
    scores,
    /** LCP and TBT are in milliseconds. */
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    slowdown: configSettings.throttling.cpuSlowdownMultiplier,
    faults: [...new Set(faults)],
  };
}

function formatFirstItems({ details }) {
  const items = (details?.items ?? [])
    .slice(0, 3)
    .map((item) => item.node?.snippet ?? item.url ?? item.description);
  return items.some(Boolean) ? ` (${items.filter(Boolean).join('; ')})` : '';
}

/**
 * How many times slower than this machine the simulated phone is: at most Lighthouse's default, 4, which is right for a benchmark index of 1,533. A
 * slower machine needs less, computed as in Lighthouse's CPU throttling calculator.
 */
function cpuSlowdown(benchmarkIndex) {
  if (benchmarkIndex >= 1300) return Math.min(4, 3 + (benchmarkIndex - 1300) / 233);
  if (benchmarkIndex >= 800) return 2 + (benchmarkIndex - 800) / 500;
  return Math.max(1, 1 + (benchmarkIndex - 150) / 650);
}

async function withLighthouse(chromePath, work) {
  const [
    { chromium },
    { chromiumFlags },
    { lighthouse, desktopConfig, computeBenchmarkIndex },
    { freePort },
  ] = await Promise.all([
    import('playwright-core'),
    import('../../libs/testing/src/browser.ts'),
    import('../lighthouse/index.mjs'),
    import('../embedded/ports.ts'),
  ]);
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: chromePath,
    args: [...chromiumFlags, `--remote-debugging-port=${port}`],
  });
  const audit = async (base, path, formFactor, onlyCategories = categories) => {
    // The screenshot of the whole page would take as long as everything else.
    const flags = {
      port,
      onlyCategories,
      logLevel: 'silent',
      output: 'json',
      disableFullPageScreenshot: true,
    };
    if (formFactor === 'mobile' && onlyCategories.includes('performance')) {
      const page = await browser.newPage();
      flags.throttling = { cpuSlowdownMultiplier: cpuSlowdown(await page.evaluate(computeBenchmarkIndex)) };
      await page.close();
    }
    const result = await lighthouse(base + path, flags, formFactor === 'desktop' ? desktopConfig : undefined);
    if (result.lhr.runtimeError) throw new Error(`${path}: ${result.lhr.runtimeError.message}`);
    return summary(path, formFactor, result.lhr);
  };
  try {
    return await work(audit);
  } finally {
    await browser.close();
  }
}

function formatTable(results) {
  const round = (number) => (number === undefined ? '–' : String(Math.round(number)));
  const head = ['page', 'as', ...categories, 'LCP ms', 'TBT ms', 'CLS', 'CPU slowdown'];
  const rows = results.map(({ path, formFactor, scores, lcp, tbt, cls, slowdown }) => [
    path,
    formFactor,
    ...categories.map((id) => round(scores[id])),
    round(lcp),
    round(tbt),
    cls === undefined ? '–' : cls.toFixed(3),
    slowdown.toFixed(1),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `--json` prints JSON. `--only=` (categories), `--as=` (form factors) and `--pages=` take comma-separated lists. */
function parseOptions(args) {
  const named = Object.fromEntries(
    args.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2).split('=')),
  );
  const list = (name, all) => named[name]?.split(',') ?? all;
  return {
    base: args.find((arg) => !arg.startsWith('--'))?.replace(/\/$/, ''),
    json: 'json' in named,
    only: list('only', categories),
    chosenFormFactors: list('as', formFactors),
    pages: list('pages', auditedPages),
  };
}

async function main({ base, json, only, chosenFormFactors, pages }) {
  const { ensureChromium } = await import('../tools/chromium.mjs');
  const { Progress } = await import('../tools/progress.mjs');
  const { withDemoSite } = await import('../tools/demo-site.mjs');
  const progress = new Progress(json ? process.stderr : process.stdout);
  await install(progress, join(root, 'dev', 'lighthouse'));
  const chromePath = await ensureChromium(progress);
  const run = async (url) => {
    const results = [];
    await withLighthouse(chromePath, async (audit) => {
      for (const path of pages)
        for (const formFactor of chosenFormFactors)
          await progress.step(`${path} ${formFactor}`, async () => {
            results.push(await audit(url, path, formFactor, only));
          });
    });
    if (json) return console.log(JSON.stringify(results));
    console.log(`\n${formatTable(results)}`);
    for (const { path, formFactor, faults } of results)
      for (const fault of faults) console.log(`${path} ${formFactor}: ${fault}`);
  };
  await (base ? run(base) : withDemoSite(progress, ({ url }) => run(url)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(parseOptions(process.argv.slice(2)));
