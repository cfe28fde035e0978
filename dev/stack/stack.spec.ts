import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { temporaryDataDir } from '../test/launcher.js';
import { readSettings } from './settings.js';
import { Stack } from './stack.js';

const dataDir = temporaryDataDir();
afterAll(() => dataDir.remove());

test('a start whose signal is already aborted starts nothing, and releases its claim on the data folder', async () => {
  const steps: string[] = [];
  const reporter = {
    step: async (name: string, work: () => Promise<string | void>) => {
      steps.push(name);
      await work();
    },
    line: () => undefined,
    abandon: () => undefined,
  };
  const settings = readSettings(dataDir.path, { PATH: process.env.PATH, DATA_DIR: dataDir.path, PORT: '0' });
  const started = Stack.start({ settings, dist: dataDir.path, reporter }, AbortSignal.abort());
  await expect(started).rejects.toThrow('Interrupted.');
  expect(steps).toEqual([]);
  expect(existsSync(join(dataDir.path, 'processes.json'))).toBe(false);
});
