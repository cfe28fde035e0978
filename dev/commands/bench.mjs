// `npm run bench [name…]`: runs the benchmarks (bench/<name>.ts) one after another.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { install } from '../tools/install.mjs';
import { Progress } from '../tools/progress.mjs';
import { root } from '../tools/root.mjs';

// `mail` runs only if it is named, because it sends 20 000 mails (to a local mail server).
const defaultBenchmarks = ['http', 'orders', 'transport', 'sign-in', 'cost'];
const chosen = process.argv.slice(2).length > 0 ? process.argv.slice(2) : defaultBenchmarks;

const progress = new Progress();
await install(progress);
await build(progress);
const rows = [];
for (const name of chosen) {
  if (![...defaultBenchmarks, 'mail'].includes(name)) {
    console.error(`Unknown benchmark ${name}. Choose from ${defaultBenchmarks.join(', ')} and mail.`);
    process.exitCode = 1;
    continue;
  }
  const { run } = await import(pathToFileURL(join(root, 'dist', 'bench', `${name}.js`)).href);
  await progress.step(name, async () => void rows.push(...(await run())), { announce: `Measuring: ${name}` });
}
console.log(`\n${formatTable(rows)}`);

function formatTable(rows) {
  const cells = rows.map(({ name, value, unit, note }) => [name, formatNumber(value), unit, note ?? '']);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((row) => row[column].length)));
  return cells
    .map(([name, value, unit, note]) =>
      [name.padEnd(widths[0]), value.padStart(widths[1]), unit.padEnd(widths[2]), note].join('  ').trimEnd(),
    )
    .join('\n');
}

function formatNumber(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
