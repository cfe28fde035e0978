import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, jest, test } from '@jest/globals';
import { temporaryDataDir } from '../test/launcher.js';
import { DataFolder } from './data-folder.js';
import { readSettings } from './settings.js';
import { type Reporter, Stack } from './stack.js';

const dataDir = temporaryDataDir();
afterAll(() => dataDir.remove());

function start(step: Reporter['step'], interrupted: AbortSignal): Promise<Stack> {
  const reporter = { step, line: () => undefined, abandon: () => undefined };
  const settings = readSettings(dataDir.path, { PATH: process.env.PATH, DATA_DIR: dataDir.path, PORT: '0' });
  return Stack.start({ settings, dist: dataDir.path, reporter }, interrupted);
}

test('a start whose signal is already aborted starts nothing, and releases its claim on the data folder', async () => {
  const steps: string[] = [];
  const started = start(async (name, work) => {
    steps.push(name);
    await work();
  }, AbortSignal.abort());
  await expect(started).rejects.toThrow('Interrupted.');
  expect(steps).toEqual([]);
  expect(existsSync(join(dataDir.path, 'processes.json'))).toBe(false);
});

test('a start that is interrupted, and cannot stop what it has started, rejects with the reason', async () => {
  jest.spyOn(DataFolder.prototype, 'release').mockImplementation(() => {
    throw new Error('The disk is gone');
  });
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  // Without jest, a rejection that is handled too late ends the process.
  process.on('unhandledRejection', note);
  try {
    const interruption = new AbortController();
    const started = start(async () => {
      interruption.abort();
      // Longer than the stack needs to stop.
      await wait(50);
      throw new Error('Interrupted.');
    }, interruption.signal);
    await expect(started).rejects.toThrow('The disk is gone');
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
