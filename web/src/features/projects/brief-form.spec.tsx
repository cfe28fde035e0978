/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Account, Brief } from '#libs/contracts';
import { AccountContext } from '../../workspace/current-screen.js';
import { answerCalls, type FakeApi } from '../../workspace/open-screen.js';
import { useBriefForm } from './brief-form.js';

afterEach(() => {
  jest.useRealTimers();
  localStorage.clear();
});

const account = { id: 'ada' } as Account;
const wrapper = ({ children }: { children: ReactNode }) => (
  <AccountContext value={account}>{children}</AccountContext>
);
const brief = { answers: {}, version: 1 } as Brief;
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

test('a failed save is repeated, without another change, until the site can be reached, and not after that', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  const site = jest.fn<FakeApi>().mockRejectedValue(new TypeError('Failed to fetch'));
  answerCalls(site);
  const { result } = renderHook(() => useBriefForm(brief, 'project-1'), { wrapper });
  act(() => result.current.change('goal', 'More customers'));
  await pass(60_000);
  expect(result.current).toMatchObject({ isUnsaved: true, problem: { status: 0 } });
  site.mockImplementation(async () => Response.json({ answers: { goal: 'More customers' }, version: 2 }));
  await pass(10_000);
  expect(result.current).toMatchObject({ isUnsaved: false, problem: undefined });
  const callCount = site.mock.calls.length;
  await pass(60_000);
  expect(site.mock.calls).toHaveLength(callCount);
});

test.each([
  ['INVALID_TRANSITION', 409],
  ['INVALID_INPUT', 400],
  ['NOT_FOUND', 404],
])('a save that was refused with %s is not attempted again before another change', async (code, status) => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  const site = jest.fn<FakeApi>().mockImplementation(() => Response.json({ code }, { status }));
  answerCalls(site);
  const { result, unmount } = renderHook(() => useBriefForm(brief, 'project-1'), { wrapper });
  act(() => result.current.change('goal', 'More customers'));
  await pass(60_000);
  expect(result.current).toMatchObject({ isUnsaved: true, problem: { code } });
  expect(site.mock.calls).toHaveLength(1);
  act(() => result.current.change('goal', 'More visitors'));
  await pass(60_000);
  expect(site.mock.calls).toHaveLength(2);
  window.dispatchEvent(new Event('online'));
  await pass(60_000);
  expect(site.mock.calls).toHaveLength(2);
  unmount();
  await pass(60_000);
  expect(site.mock.calls).toHaveLength(2);
});

test('a save that was refused because the session has ended is attempted again', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  const refusal = () => Response.json({ code: 'SESSION_ENDED' }, { status: 401 });
  const site = jest.fn<FakeApi>().mockImplementation(refusal);
  answerCalls(site);
  const { result } = renderHook(() => useBriefForm(brief, 'project-1'), { wrapper });
  act(() => result.current.change('goal', 'More customers'));
  await pass(10_000);
  site.mockImplementation(() => Response.json({ answers: { goal: 'More customers' }, version: 2 }));
  await pass(10_000);
  expect(result.current).toMatchObject({ isUnsaved: false, problem: undefined });
});
