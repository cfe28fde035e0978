import { afterEach, expect, jest, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { PeriodicTask } from './periodic-task.js';

let task: PeriodicTask;
afterEach(() => task.stop());

/** Each run lasts until the test ends it. */
class Runs {
  started = 0;
  ended = 0;
  private end = () => {};

  readonly run = async () => {
    this.started += 1;
    await new Promise<void>((resolve) => (this.end = resolve));
    this.ended += 1;
  };

  endOne(): void {
    this.end();
  }
}

test('runs again after each period, also after a failure', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  task = new PeriodicTask({
    everyMs: 5,
    run: () => {
      runs += 1;
      if (runs === 1) throw new Error('first');
      return runs === 2 ? Promise.reject(new Error('second')) : Promise.resolve();
    },
    onError: (error) => errors.push(error),
  });
  task.start();
  await eventually(() => expect(runs).toBeGreaterThan(3));
  expect(errors).toEqual([new Error('first'), new Error('second')]);
});

test('tasks with the same period run together, whenever they were started', async () => {
  jest.useFakeTimers();
  try {
    const runs: Record<number, string[]> = {};
    const startTask = (name: string) => {
      const run = () => Promise.resolve((runs[performance.now()] ??= []).push(name));
      task = new PeriodicTask({ everyMs: 1_000, run, onError: () => {} });
      task.start();
      return task;
    };
    const first = startTask('first');
    await jest.advanceTimersByTimeAsync(400);
    const second = startTask('second');
    await jest.advanceTimersByTimeAsync(200);
    // Does not run at 1_000: the first run is at least half a period after the start.
    const late = startTask('late');
    await jest.advanceTimersByTimeAsync(1_400);
    await Promise.all([first.stop(), second.stop(), late.stop()]);
    runs[2_000]?.sort();
    expect(runs).toEqual({ 1_000: ['first', 'second'], 2_000: ['first', 'late', 'second'] });
  } finally {
    jest.useRealTimers();
  }
});

test('runs never overlap, and calls of `runSoon` during a run cause one more run', async () => {
  const runs = new Runs();
  task = new PeriodicTask({ everyMs: 1e9, run: runs.run, onError: () => {} });
  task.runSoon();
  task.runSoon();
  task.runSoon();
  expect(runs.started).toBe(1);
  runs.endOne();
  await eventually(() => expect(runs.started).toBe(2));
  runs.endOne();
  await eventually(() => expect(runs.ended).toBe(2));
  expect(runs.started).toBe(2);
});

test('stopping waits for the current run and starts no other', async () => {
  const runs = new Runs();
  task = new PeriodicTask({ everyMs: 1, run: runs.run, onError: () => {} });
  task.start();
  await eventually(() => expect(runs.started).toBe(1));
  let isStopped = false;
  const stopped = task.stop().then(() => (isStopped = true));
  task.runSoon();
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  runs.endOne();
  await stopped;
  expect([runs.started, runs.ended]).toEqual([1, 1]);
});
