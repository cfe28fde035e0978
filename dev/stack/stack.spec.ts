import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, jest, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { temporaryDataDir } from '../test/launcher.js';
import { DataFolder } from './data-folder.js';
import { readSettings } from './settings.js';
import { type Reporter, Stack } from './stack.js';

const dataDir = temporaryDataDir();
afterAll(() => dataDir.remove());

function start(
  step: Reporter['step'],
  interrupted?: AbortSignal,
  printLine: Reporter['printLine'] = () => undefined,
): Promise<Stack> {
  const reporter = { step, printLine, abandon: () => undefined };
  const settings = readSettings(dataDir.path, { PATH: process.env.PATH, DATA_DIR: dataDir.path, PORT: '0' });
  return Stack.start({ settings, dist: dataDir.path, reporter }, interrupted);
}

test('a start whose signal is already aborted starts nothing, and releases its claim on the data folder', async () => {
  const steps: string[] = [];
  const interrupted = AbortSignal.abort();
  const started = start(async (name, work) => {
    steps.push(name);
    await work();
  }, interrupted);
  await expect(started).rejects.toBe(interrupted.reason);
  expect(steps).toEqual([]);
  expect(existsSync(join(dataDir.path, 'processes.json'))).toBe(false);
});

const diskIsGone = new Error('The disk is gone.');
const failToStop = () =>
  jest.spyOn(DataFolder.prototype, 'release').mockImplementation(() => {
    throw diskIsGone;
  });
const notStopped = 'The site could not be stopped completely: The disk is gone.';

test('a start that is interrupted, and cannot stop what it has started, rejects with the failure to stop', async () => {
  const release = failToStop();
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  // Without jest, a rejection that is handled too late ends the process.
  process.on('unhandledRejection', note);
  try {
    const interruption = new AbortController();
    const started = start(async () => {
      interruption.abort();
      await eventually(() => expect(release).toHaveBeenCalled());
      // Node reports unhandled rejections before the next turn of the event loop.
      await nextTurn();
      throw new Error('The step was interrupted.');
    }, interruption.signal);
    await expect(started).rejects.toMatchObject({ message: notStopped, cause: diskIsGone });
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});

test('a start that fails, and cannot stop what it has started, rejects with the first failure, and prints the failure to stop', async () => {
  failToStop();
  const failure = new Error('Redis did not start.');
  const lines: string[] = [];
  const started = start(
    () => Promise.reject(failure),
    undefined,
    (text) => lines.push(text),
  );
  await expect(started).rejects.toBe(failure);
  expect(lines).toEqual([`! ${notStopped}`]);
});
