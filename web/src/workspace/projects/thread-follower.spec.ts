/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { ThreadEntry } from '#libs/contracts';
import { type Answer, unreachable } from '../../lib/api.js';
import type { ThreadCalls } from './thread-calls.js';
import { ThreadFollower } from './thread-follower.js';
import type { ThreadPart } from './thread-state.js';

/** Long enough for one check, and too short for two. */
const oneCheckMs = 60_000;
const retryMs = 3_000;

let streams: Stream[] = [];

/** Takes the place of `EventSource`, which jsdom lacks. Delivers nothing. */
class Stream {
  isOpen = true;
  constructor(readonly url: string) {
    streams.push(this);
  }
  close(): void {
    this.isOpen = false;
  }
}

/** For each call of `read`, the function that answers it. */
let reads: ((answer: Answer<ThreadPart<ThreadEntry>>) => void)[] = [];
const calls: Pick<ThreadCalls<ThreadEntry>, 'read' | 'updatesUrl'> = {
  read: () => new Promise((resolve) => reads.push(resolve)),
  updatesUrl: (after) => `/updates?after=${after}`,
};

/** Answers the last read with one entry. `change` is the number of the last change, and also the entry’s `seq`. */
async function answer(change: number, { hasLater = false } = {}): Promise<void> {
  const by = { side: 'staff', accountId: 'maya', name: 'Maya' } as const;
  const entry: ThreadEntry = {
    ...{ kind: 'event', seq: change, at: '2026-11-20T10:00:00.000Z', by, what: 'delivered' },
    ...{ state: 'delivered', text: 'Maya delivered.', deliverableId: null },
  };
  const value = {
    entries: [entry],
    hasEarlier: false,
    hasLater,
    change,
    readSeq: 0,
    othersReadSeq: 0,
  };
  reads.at(-1)!({ ok: true, value, headers: new Headers() });
  await jest.advanceTimersByTimeAsync(0);
}

/** Answers the last read with an error. By default, the site cannot be reached. */
async function fail({ status }: { status: number } = unreachable): Promise<void> {
  reads.at(-1)!({ ok: false, problem: { ...unreachable, status } });
  await jest.advanceTimersByTimeAsync(0);
}

function setVisibility(visibility: DocumentVisibilityState): void {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  document.dispatchEvent(new Event('visibilitychange'));
}

const onChanged = jest.fn();
let follower: ThreadFollower<ThreadEntry>;
const openUrls = () => streams.filter(({ isOpen }) => isOpen).map(({ url }) => url);

beforeEach(async () => {
  jest.useFakeTimers();
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  Object.assign(globalThis, { EventSource: Stream });
  streams = [];
  reads = [];
  onChanged.mockReset();
  follower = new ThreadFollower(calls as ThreadCalls<ThreadEntry>, { show: () => undefined, onChanged });
  follower.start();
  await answer(1);
});
afterEach(() => {
  follower.stop();
  jest.useRealTimers();
});

test('a stream that missed a change is replaced', async () => {
  expect(openUrls()).toEqual(['/updates?after=1']);
  await jest.advanceTimersByTimeAsync(oneCheckMs);
  await answer(2);
  expect(onChanged).toHaveBeenCalledTimes(1);
  expect(openUrls()).toEqual(['/updates?after=2']);
});

test('a tab that is hidden during a check opens no stream until it is shown again', async () => {
  await jest.advanceTimersByTimeAsync(oneCheckMs);
  setVisibility('hidden');
  await answer(2);
  expect(onChanged).toHaveBeenCalledTimes(1);
  expect(openUrls()).toEqual([]);
  setVisibility('visible');
  await answer(3);
  expect(openUrls()).toEqual(['/updates?after=3']);
});

test('a read that fails is tried again, but not in a tab that was hidden meanwhile', async () => {
  await jest.advanceTimersByTimeAsync(oneCheckMs);
  await fail();
  await jest.advanceTimersByTimeAsync(retryMs);
  expect(reads).toHaveLength(3);
  setVisibility('hidden');
  await fail();
  await jest.advanceTimersByTimeAsync(retryMs);
  expect(reads).toHaveLength(3);
  setVisibility('visible');
  await answer(2);
  expect(openUrls()).toEqual(['/updates?after=2']);
});

test.each([403, 404])(
  'a thread that this person may no longer read (%s) is removed, and its stream is closed',
  async (status) => {
    await jest.advanceTimersByTimeAsync(oneCheckMs);
    await fail({ status });
    expect(follower.state).toBeUndefined();
    expect(openUrls()).toEqual([]);
  },
);

test('nothing more is read once the thread is left, even if there are later entries', async () => {
  await jest.advanceTimersByTimeAsync(oneCheckMs);
  const { length } = reads;
  follower.stop();
  await answer(2, { hasLater: true });
  expect(reads).toHaveLength(length);
  expect(onChanged).not.toHaveBeenCalled();
});
