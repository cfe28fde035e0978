import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { StackFailure } from './failure.js';
import { run } from './main.js';
import { Stack } from './stack.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const signalListeners = () => signals.map((signal) => process.listeners(signal));

let root: string;
let before: ReturnType<typeof signalListeners>;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'main-'));
  before = signalListeners();
});
afterEach(() => {
  for (const [index, signal] of signals.entries())
    for (const listener of process.listeners(signal))
      if (!before[index]!.includes(listener)) process.off(signal, listener);
  rmSync(root, { recursive: true });
});

/** Calls `run`, with `start` in place of `Stack.start`, and interrupts the run. Resolves with the exit code and the last line of output. */
async function interrupt(start: typeof Stack.start): Promise<[number, string]> {
  const lines: string[] = [];
  const reporter = {
    step: async () => undefined,
    printLine: (text: string) => void lines.push(text),
    abandon: () => undefined,
  };
  const starting = jest.spyOn(Stack, 'start').mockImplementation(start);
  const code = run({ root, reporter, verbose: false });
  await eventually(() => expect(starting).toHaveBeenCalled());
  // A real signal would also call other listeners, and the test's own process must not stop.
  (process.listeners('SIGTERM').at(-1) as () => void)();
  return [await code, lines.at(-1)!.trim()];
}

const started = (stop: () => Promise<void>): Promise<Stack> =>
  Promise.resolve({
    ...{ url: 'http://localhost:3000', admin: { email: 'admin@example.com', isNew: false } },
    ...{ forgetAdminPassword: () => undefined, kill: () => undefined, stop },
  } as unknown as Stack);

test('an interruption stops the stack', async () => {
  expect(await interrupt(() => started(async () => undefined))).toEqual([0, 'Stopped.']);
});

test('if the stack cannot be stopped, the exit code is 1, and the reason is printed', async () => {
  const stop = () => Promise.reject(new StackFailure('Postgres did not end.'));
  expect(await interrupt(() => started(stop))).toEqual([1, 'Postgres did not end.']);
});

/** A start that rejects when it is interrupted. Without `failure`, it rejects as if it could stop everything: with the signal's reason. */
const interrupted =
  (failure?: Error): typeof Stack.start =>
  (_options, signal) =>
    new Promise((_resolve, reject) => {
      signal!.addEventListener('abort', () => reject(failure ?? signal!.reason));
    });

test('an interruption during the start is no failure', async () => {
  expect(await interrupt(interrupted())).toEqual([0, 'Stopped.']);
});

test('if an interrupted start cannot stop what it has started, the exit code is 1, and the reason is printed', async () => {
  const start = interrupted(new StackFailure('Postgres did not end.'));
  expect(await interrupt(start)).toEqual([1, 'Postgres did not end.']);
});

test('a run leaves no timer', async () => {
  const setTimer = jest.spyOn(globalThis, 'setInterval');
  const clearTimer = jest.spyOn(globalThis, 'clearInterval');
  await interrupt(interrupted());
  const cleared = clearTimer.mock.calls.flat();
  expect(setTimer.mock.results.map(({ value }) => cleared.includes(value as NodeJS.Timeout))).toEqual([true]);
});
