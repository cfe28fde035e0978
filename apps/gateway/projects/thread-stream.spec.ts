import { afterEach, expect, jest, test } from '@jest/globals';
import type { RpcClient } from '#libs/transport';
import type { LiveSessions, Person } from '../auth/live-sessions.js';
import type { EventStream } from './event-stream.js';
import { type ThreadPart, ThreadStream } from './thread-stream.js';

afterEach(() => void jest.useRealTimers());

test('the access of a reader is confirmed even while an event waits for their slow connection', async () => {
  jest.useFakeTimers();
  const [accountId, sessionId] = ['account', 'session'];
  const reader = { accountId, sessionId, role: 'customer' } as unknown as Person;
  const holder = { account: { id: accountId, role: 'Customer' } };
  const partOf = (change: number) =>
    ({ change, readSeq: 0, othersReadSeq: 0, entries: [{}], hasLater: false }) as unknown as ThreadPart;
  const slow = { isOpen: true, send: () => new Promise(() => {}), end: jest.fn() };
  const stream = new ThreadStream(
    { projectId: 'project', asStaff: false },
    reader,
    partOf(1),
    slow as unknown as EventStream,
    { call: () => Promise.resolve(partOf(2)) } as unknown as RpcClient,
    { findHolder: () => Promise.resolve(holder) } as unknown as LiveSessions,
  );
  void stream.refresh();
  await jest.advanceTimersByTimeAsync(10_000);
  void stream.refreshIfChanged(partOf(2));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(stream.unconfirmedMs).toBe(1_000);
  expect(slow.end).not.toHaveBeenCalled();
});
