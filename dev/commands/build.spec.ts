import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'build-lock-'));
const lock = join(folder, 'lock');
afterAll(() => rmSync(folder, { recursive: true }));

/** Another process takes the lock and releases it. It prints `waits` if it has to wait, and then whether it has the lock. */
function takeLock() {
  const script = `
    import { readFileSync } from 'node:fs';
    import { acquireLock } from './dev/commands/build.mjs';
    const release = await acquireLock(process.env.LOCK, () => console.log('waits'));
    console.log(readFileSync(process.env.LOCK, 'utf8') === String(process.pid) ? 'has the lock' : 'has no lock');
    release();`;
  const options = { cwd, env: { ...process.env, LOCK: lock }, timeout: 10_000 };
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], options);
}

const idOfEndedProcess = async () => {
  const { child } = promisify(execFile)(process.execPath, ['--version']);
  await new Promise((resolve) => child.once('exit', resolve));
  return String(child.pid);
};

test.each([
  ['whose process has ended', idOfEndedProcess, 0],
  ['whose process was killed before it wrote its id', async () => '', 60],
  [
    'that began an hour ago, even if a process with the id in the lock is running',
    async () => String(process.pid),
    3_600,
  ],
])('a build takes over the lock of a build %s', async (_whose, content, ageSeconds) => {
  writeFileSync(lock, await content());
  const written = Date.now() / 1000 - ageSeconds;
  utimesSync(lock, written, written);
  expect((await takeLock()).stdout).toBe('has the lock\n');
});

test('a build waits for one that is running', async () => {
  writeFileSync(lock, String(process.pid));
  const taken = takeLock();
  const [printedFirst] = (await once(taken.child.stdout!, 'data')) as [string];
  expect(printedFirst).toBe('waits\n');
  expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
  rmSync(lock);
  expect((await taken).stdout).toBe('waits\nhas the lock\n');
});
