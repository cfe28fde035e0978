import { describe, expect, test } from '@jest/globals';
import { LeasedWork, pauseAfter } from './leased-work.js';

/** The work on a row ends when the test calls the row's function in `ends`. */
function createWork(waiting: string[], capacity: number) {
  const done: string[] = [];
  const ends = new Map<string, () => void>();
  const reports: string[] = [];
  let nextFault: Error | undefined;
  const work = new LeasedWork<string>({
    lease: async (count) => {
      const fault = nextFault;
      nextFault = undefined;
      if (fault) throw fault;
      return waiting.splice(0, count);
    },
    renew: async () => undefined,
    capacity: () => capacity,
    work: async (row) => {
      await new Promise<void>((resolve) => ends.set(row, resolve));
      ends.delete(row);
      done.push(row);
    },
    onError: (error, message) => reports.push(`${message}: ${(error as Error).message}`),
    // No poll comes from the interval during a test.
    pollMs: 3_600_000,
    leaseMs: 3_600_000,
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const inHand = async () => {
    await settled();
    return [...ends.keys()];
  };
  const failNextPoll = (error: Error) => (nextFault = error);
  return { work, done, ends, reports, inHand, failNextPoll };
}

describe('leased work', () => {
  test('processes no more rows at the same time than allowed, and takes the next when one has ended', async () => {
    const { work, done, ends, inHand } = createWork(['a', 'b', 'c'], 2);
    work.start();
    expect(await inHand()).toEqual(['a', 'b']);
    ends.get('a')!();
    expect(await inHand()).toEqual(['b', 'c']);
    expect(done).toEqual(['a']);
    for (const end of ends.values()) end();
    await work.stop();
  });

  test('polls once more if work arrived during a poll', async () => {
    const waiting: string[] = [];
    const { work, ends, inHand } = createWork(waiting, 5);
    work.start();
    waiting.push('late');
    work.poll();
    expect(await inHand()).toEqual(['late']);
    ends.get('late')!();
    await work.stop();
  });

  test('continues after a failed poll', async () => {
    const { work, ends, reports, inHand, failNextPoll } = createWork(['a'], 1);
    failNextPoll(new Error('no connection'));
    work.start();
    expect(await inHand()).toEqual([]);
    expect(reports).toEqual(['Polling for work failed: no connection']);
    work.poll();
    expect(await inHand()).toEqual(['a']);
    ends.get('a')!();
    await work.stop();
  });

  test('reports the row whose work failed, and postpones it', async () => {
    const reports: unknown[][] = [];
    const postponed: string[] = [];
    const waiting = ['a'];
    const fault = new Error('no disk space');
    const work = new LeasedWork<string>({
      lease: async (count) => waiting.splice(0, count),
      renew: async () => undefined,
      capacity: () => 1,
      work: () => Promise.reject(fault),
      retry: {
        ...{ firstRetryMs: 1_000, longestRetryMs: 1_000 },
        message: 'Not done; will retry',
        triesOf: () => 1,
        postpone: async (row) => void postponed.push(row),
      },
      onError: (...report) => reports.push(report),
      ...{ pollMs: 3_600_000, leaseMs: 3_600_000 },
    });
    work.start();
    await work.stop();
    expect(reports).toEqual([[fault, 'Not done; will retry', 'a']]);
    expect(postponed).toEqual(['a']);
  });

  test('finishes its rows when it stops, and takes no more', async () => {
    const { work, done, ends, inHand } = createWork(['a', 'b'], 1);
    work.start();
    expect(await inHand()).toEqual(['a']);
    const stopped = work.stop();
    ends.get('a')!();
    await stopped;
    expect(done).toEqual(['a']);
    expect(await inHand()).toEqual([]);
  });
});

test.each([
  [0, 0, 500],
  [1, 0, 500],
  [1, 1, 1_000],
  [2, 0.5, 1_500],
  [4, 1, 8_000],
  [5, 1, 10_000],
  [1_000_000, 1, 10_000],
])('the pause after %i failures, with the random number %f, is %i ms', (failures, random, expected) => {
  expect(pauseAfter(failures, { firstRetryMs: 1_000, longestRetryMs: 10_000 }, () => random)).toBe(expected);
});
