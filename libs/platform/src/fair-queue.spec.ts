import { describe, expect, test } from '@jest/globals';
import { FairQueue, type FairQueueOptions } from './fair-queue.js';

const retryAfterSeconds = 10;

function queue(options: Partial<FairQueueOptions> = {}) {
  const clock = { now: 0 };
  const fair = new FairQueue(
    { concurrency: 1, maxWaitingSize: 10, maxWaitMs: 1_000, retryAfterSeconds, ...options },
    () => clock.now,
  );
  const startOrder: string[] = [];
  const ends: (() => void)[] = [];
  /** The task runs until the test ends it. The first letter of its name is its group. */
  const send = (name: string, size?: number) => {
    const work = () => {
      startOrder.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    return fair.run(name[0]!, work, size).then(
      () => 'done' as const,
      (error: { code: string }) => error.code,
    );
  };
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      // The next task starts a few microtasks later.
      await new Promise(setImmediate);
    }
  };
  return { fair, send, endAll, startOrder, clock };
}

describe('a fair queue', () => {
  test('runs as many tasks at the same time as allowed, and the others in order of arrival', async () => {
    const { send, endAll, startOrder } = queue({ concurrency: 2 });
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => send(name));
    expect(startOrder).toEqual(['a1', 'a2']);
    await endAll();
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done', 'done']);
    expect(startOrder).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('lets groups take turns', async () => {
    const { send, endAll, startOrder } = queue();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void send(name);
    await endAll();
    expect(startOrder).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  test('refuses the newest task of the largest group when too many wait', async () => {
    const { send, endAll, startOrder } = queue({ maxWaitingSize: 3 });
    const flood = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => send(name));
    const ofSmallGroup = send('b1');
    await endAll();
    expect(await ofSmallGroup).toBe('done');
    expect(await Promise.all(flood)).toEqual(['done', 'done', 'done', 'OVERLOADED', 'OVERLOADED']);
    expect(startOrder).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  test('is shared evenly when it is full: a new group displaces a task of a larger one, but equal groups do not displace each other', async () => {
    const { send, endAll } = queue({ maxWaitingSize: 4 });
    const early = ['a0', 'a1', 'a2', 'b1', 'b2'].map((name) => send(name));
    const late = ['a3', 'b3'].map((name) => send(name));
    const ofNewGroup = send('c1');
    await endAll();
    expect(await Promise.all(late)).toEqual(['OVERLOADED', 'OVERLOADED']);
    expect(await ofNewGroup).toBe('done');
    expect(await Promise.all(early)).toEqual(['done', 'done', 'OVERLOADED', 'done', 'done']);
  });

  test('counts sizes, so that a few large tasks leave room for many small ones', async () => {
    const { send, endAll } = queue({ maxWaitingSize: 60 });
    void send('a0');
    const large = [send('a1', 40), send('a2', 40)];
    const small = ['b1', 'b2'].map((name) => send(name, 10));
    await endAll();
    expect(await Promise.all(large)).toEqual(['done', 'OVERLOADED']);
    expect(await Promise.all(small)).toEqual(['done', 'done']);
  });

  test('refuses a task that has waited too long, and continues with the others', async () => {
    const { send, endAll, startOrder, clock } = queue();
    void send('a1');
    const late = send('b1');
    clock.now = 900;
    const inTime = send('c1');
    clock.now = 1_001;
    await endAll();
    expect([await late, await inTime]).toEqual(['OVERLOADED', 'done']);
    expect(startOrder).toEqual(['a1', 'c1']);
  });

  test('says when to try again, and accepts new tasks after a refusal or a failure', async () => {
    const { fair, endAll, send } = queue({ maxWaitingSize: 0 });
    void send('a1');
    const refused = fair.run('b', () => Promise.resolve());
    await expect(refused).rejects.toMatchObject({ code: 'OVERLOADED', details: { retryAfterSeconds } });
    await endAll();
    await expect(fair.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(fair.run('a', () => Promise.resolve('done'))).resolves.toBe('done');
  });
});
