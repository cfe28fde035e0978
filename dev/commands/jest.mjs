// `node dev/commands/jest.mjs [jest arguments]`: runs jest with what the chosen specs need: Postgres and Redis for integration specs; also a running
// site for end-to-end, full and timed specs. Each run has its own folders and ports, so several can run in one checkout.
import '../tools/register-swc.mjs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../tools/chromium.mjs';
import { pathWithRedis, startDemoSite, createDataFolder } from '../tools/demo-site.mjs';
import { keepTemporaryFilesInMemory } from '../tools/memory-folder.mjs';
import { root } from '../tools/root.mjs';
import { runTool } from '../tools/tool.mjs';

const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');

/** Returns the exit code. */
export async function runJest(args) {
  const cleanups = [];
  let child;
  let interrupted = false;
  const interrupt = (signal) => {
    interrupted = true;
    child?.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupt);
  keepTemporaryFilesInMemory();
  try {
    // As in production: React's development build is only half as fast.
    const env = { ...process.env, NODE_ENV: 'production' };
    env.NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`.trim();
    const specs = await chosenSpecs(args, env);
    const chromium = findChromium();
    if (chromium) env.CHROME_PATH = chromium;
    const hasSpecs = (kind) => specs.some((spec) => spec.includes(`.${kind}.spec.`));
    if (hasSpecs('full') || hasSpecs('timed')) env.TEST_FULL = 'yes';
    const needsSite = hasSpecs('e2e') || hasSpecs('full') || hasSpecs('timed');
    // Some specs in dev/test start whole sites. Integration specs elsewhere start at most programs of the server.
    if (needsSite || specs.some((spec) => spec.includes('/dev/test/'))) await buildStale();
    else if (hasSpecs('int')) await buildStale({ only: ['server'] });
    if (hasSpecs('int') || needsSite) env.TEST_POSTGRES_URL = await startDisposablePostgres(cleanups);
    if (env.TEST_POSTGRES_URL) env.PATH = await pathWithRedis(env.PATH);
    if (needsSite) env.TEST_STACK = await startDemoSite(cleanups);
    if (interrupted) return 130;
    return await new Promise((done) => {
      child = spawn(process.execPath, [jest, ...args], { cwd: root, env, stdio: 'inherit' });
      child.once('exit', (code) => done(code ?? 130));
    });
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt);
  }
}

async function chosenSpecs(args, env) {
  // Without the arguments for the report, because the list must be plain lines.
  const selection = args.filter((arg) => !/^--(json|outputFile|reporters)/.test(arg));
  const listing = await runTool('jest --listTests', process.execPath, [jest, ...selection, '--listTests'], {
    env,
  });
  return listing.split('\n').filter((line) => /\.spec\.tsx?$/.test(line));
}

async function buildStale(options) {
  const { build } = await import('./build.mjs');
  const { Progress } = await import('../tools/progress.mjs');
  await build(new Progress(), options);
}

async function startDisposablePostgres(cleanups) {
  const { startPostgres } = await import('../embedded/postgres.ts');
  const postgres = await startPostgres({ dataDir: await createDataFolder(cleanups), disposable: true });
  cleanups.push(() => postgres.stop());
  return postgres.url('postgres');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await runJest(process.argv.slice(2));
