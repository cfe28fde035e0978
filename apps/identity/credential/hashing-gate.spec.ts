import { describe, expect, test } from '@jest/globals';
import type { DomainError } from '#libs/contracts';
import { HashingGate } from './hashing-gate.js';

const one = '203.0.113.1';
const other = '203.0.113.2';

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
    const runs = tasks.map((task) => gate.run(one, task.run));

    await expect(gate.run(one, async () => {})).rejects.toMatchObject({
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
    await expect(gate.run(one, async () => 'free again')).resolves.toBe('free again');
  });

  test('turns away whose turn comes too late, and runs the next', async () => {
    let now = 0;
    const gate = new HashingGate({ concurrency: 1, queueLimit: 2 }, () => now);
    const first = heldTask();
    const running = gate.run(one, first.run);
    const late = gate.run(one, async () => 'late');
    now = 3_000;
    const inTime = gate.run(one, async () => 'in time');
    now = 6_000;
    first.end();
    await expect(late).rejects.toMatchObject({ code: 'OVERLOADED' });
    await expect(inTime).resolves.toBe('in time');
    await running;
    await expect(gate.run(one, async () => 'free again')).resolves.toBe('free again');
  });

  test('one requester fills the queue, but keeps nobody else out of it', async () => {
    const gate = new HashingGate({ concurrency: 1, queueLimit: 10 });
    const first = heldTask();
    const running = gate.run(one, first.run);
    const done: string[] = [];
    const flood = Array.from({ length: 120 }, (_, n) =>
      gate.run(one, async () => done.push(`flood ${n}`)).catch((error: DomainError) => error.code),
    );
    const others = ['a', 'b'].map((name) => gate.run(other, async () => done.push(name)));
    first.end();
    const outcomes = await Promise.all(flood);
    await Promise.all([running, ...others]);
    expect(outcomes.filter((outcome) => outcome === 'OVERLOADED')).toHaveLength(112);
    // They take turns, and the flood's newest tasks made room.
    expect(done.slice(0, 4)).toEqual(['flood 0', 'a', 'flood 1', 'b']);
    expect(done.slice(4)).toEqual(Array.from({ length: 6 }, (_, n) => `flood ${n + 2}`));
  });

  test('a full queue is shared evenly, and then nobody displaces anybody', async () => {
    const gate = new HashingGate({ concurrency: 1, queueLimit: 4 });
    const first = heldTask();
    const running = gate.run(one, first.run);
    const waiting = [one, one, other, other].map((requester) => gate.run(requester, async () => requester));
    await expect(gate.run(one, async () => 'late')).rejects.toMatchObject({ code: 'OVERLOADED' });
    await expect(gate.run(other, async () => 'late')).rejects.toMatchObject({ code: 'OVERLOADED' });
    first.end();
    await expect(Promise.all(waiting)).resolves.toEqual([one, one, other, other]);
    await running;
  });

  test('a failing task frees its place', async () => {
    const gate = new HashingGate({ concurrency: 1, queueLimit: 0 });
    await expect(gate.run(one, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(gate.run(one, async () => 1)).resolves.toBe(1);
  });
});
