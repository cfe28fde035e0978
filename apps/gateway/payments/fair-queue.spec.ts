import { describe, expect, test } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

const retryAfterSeconds = 10;

function queue(options: { atOnce?: number; mostBytes?: number } = {}) {
  const clock = { now: 0 };
  const fair = new FairQueue(
    { atOnce: 1, mostBytes: 100, leastBytes: 10, mostWaitMs: 1_000, retryAfterSeconds, ...options },
    () => clock.now,
  );
  const ran: string[] = [];
  const ends: (() => void)[] = [];
  /** Runs until it is ended. */
  const send = (name: string, bytes = 10) =>
    fair
      .run(name[0]!, bytes, () => {
        ran.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      })
      .then(
        () => 'done' as const,
        (error: { code: string }) => error.code,
      );
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      // The next one starts a few microtasks later.
      await new Promise(setImmediate);
    }
  };
  return { send, endAll, ran, clock };
}

describe('a fair queue', () => {
  test('runs as many at once as it may, the others in the order in which they came', async () => {
    const { send, endAll, ran } = queue({ atOnce: 2 });
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => send(name));
    expect(ran).toEqual(['a1', 'a2']);
    await endAll();
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done', 'done']);
    expect(ran).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('lets groups take turns', async () => {
    const { send, endAll, ran } = queue();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void send(name);
    await endAll();
    expect(ran).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  test('refuses the newest of the largest group when too much waits', async () => {
    const { send, endAll, ran } = queue({ mostBytes: 30 });
    const flood = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => send(name));
    const other = send('b1');
    await endAll();
    expect(await other).toBe('done');
    expect(await Promise.all(flood)).toEqual(['done', 'done', 'done', 'OVERLOADED', 'OVERLOADED']);
    expect(ran).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  test('counts the bytes, so that few large ones do not displace many small ones', async () => {
    const { send, endAll } = queue({ mostBytes: 60 });
    void send('a0');
    const large = [send('a1', 40), send('a2', 40)];
    const small = ['b1', 'b2'].map((name) => send(name));
    await endAll();
    expect(await Promise.all(large)).toEqual(['done', 'OVERLOADED']);
    expect(await Promise.all(small)).toEqual(['done', 'done']);
  });

  test('refuses who has waited too long, and goes on with the others', async () => {
    const { send, endAll, ran, clock } = queue();
    void send('a1');
    const late = send('b1');
    clock.now = 900;
    const inTime = send('c1');
    clock.now = 1_001;
    await endAll();
    expect([await late, await inTime]).toEqual(['OVERLOADED', 'done']);
    expect(ran).toEqual(['a1', 'c1']);
  });
});
