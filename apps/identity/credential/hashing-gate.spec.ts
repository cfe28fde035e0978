import { describe, expect, test } from '@jest/globals';
import { HashingGate } from './hashing-gate.js';

/** A task that runs until it is told to end. */
function heldTask() {
  let end = () => {};
  let begin = () => {};
  const held = new Promise<void>((resolve) => (end = resolve));
  const began = new Promise<void>((resolve) => (begin = resolve));
  const task = {
    started: false,
    began,
    end,
    run: () => {
      task.started = true;
      begin();
      return held;
    },
  };
  return task;
}

describe('the hashing gate', () => {
  test('runs as many at once as allowed, keeps some waiting, and turns the rest away at once', async () => {
    const gate = new HashingGate({ concurrency: 2, queueLimit: 1 });
    const tasks = [heldTask(), heldTask(), heldTask()];
    const runs = tasks.map((task) => gate.run(task.run));

    await expect(gate.run(async () => {})).rejects.toMatchObject({
      code: 'OVERLOADED',
      details: { retryAfterSeconds: expect.any(Number) },
    });
    expect(tasks.map((task) => task.started)).toEqual([true, true, false]);

    tasks[0]!.end();
    await runs[0];
    await tasks[2]!.began;
    tasks[1]!.end();
    tasks[2]!.end();
    await Promise.all(runs);
    await expect(gate.run(async () => 'free again')).resolves.toBe('free again');
  });

  test('turns away whose turn comes too late, and runs the next', async () => {
    let now = 0;
    const gate = new HashingGate({ concurrency: 1, queueLimit: 2 }, () => now);
    const first = heldTask();
    const running = gate.run(first.run);
    const late = gate.run(async () => 'late');
    now = 3_000;
    const inTime = gate.run(async () => 'in time');
    now = 6_000;
    first.end();
    await expect(late).rejects.toMatchObject({ code: 'OVERLOADED' });
    await expect(inTime).resolves.toBe('in time');
    await running;
    await expect(gate.run(async () => 'free again')).resolves.toBe('free again');
  });

  test('a failing task frees its place', async () => {
    const gate = new HashingGate({ concurrency: 1, queueLimit: 0 });
    await expect(gate.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(gate.run(async () => 1)).resolves.toBe(1);
  });
});
