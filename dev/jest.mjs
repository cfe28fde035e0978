// Runs jest with a Postgres of its own: `node dev/jest.mjs [jest arguments]`.
// Every run has its own data folder and ports, so several may run at once on one checkout.
import './register-swc.mjs';
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');

/** @param {string[]} args what jest is to run, in jest's own arguments */
export async function runJest(args, extraEnv = {}) {
  const cleanups = [];
  const child = { current: undefined };
  let interrupted = false;
  const interrupt = (signal) => {
    interrupted = true;
    child.current?.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupt);
  try {
    const env = { ...process.env, ...extraEnv, NODE_ENV: 'test' };
    if (needsPostgres(args)) {
      const postgres = await disposablePostgres(cleanups);
      env.TEST_POSTGRES_URL = postgres.url('postgres');
    }
    env.NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`.trim();
    if (interrupted) return 130;
    return await new Promise((done) => {
      child.current = spawn(process.execPath, [jest, ...args], { cwd: root, env, stdio: 'inherit' });
      child.current.once('exit', (code) => done(code ?? 130));
    });
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt);
  }
}

async function disposablePostgres(cleanups) {
  const { startPostgres } = await import('./embedded/postgres.ts');
  const { removeHome } = await import('./embedded/home.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'seo-services-test-'));
  cleanups.push(() => removeHome(dataDir));
  const postgres = await startPostgres({ dataDir, disposable: true });
  cleanups.push(() => postgres.stop());
  return postgres;
}

/** A run of the unit tests alone needs no database. */
function needsPostgres(args) {
  const chosen = args.join(' ');
  return (
    !/--selectProjects[= ]unit(\s+-|$)/.test(chosen) && !/(?<!\.(int|e2e|full))\.spec\.tsx?$/.test(chosen)
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await runJest(process.argv.slice(2));
