/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Account, Brief } from '#libs/contracts';
import { AccountContext } from '../../workspace/current-screen.js';
import { answerCalls, type FakeSite } from '../../workspace/open-screen.js';
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

test('answers are saved without another change once the site can be reached, however long that takes', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  const site = jest.fn<FakeSite>().mockRejectedValue(new TypeError('Failed to fetch'));
  answerCalls(site);
  const { result } = renderHook(() => useBriefForm(brief, 'project-1'), { wrapper });
  act(() => result.current.change('goal', 'More customers'));
  await pass(60_000);
  expect(result.current).toMatchObject({ isUnsaved: true, problem: { status: 0 } });
  site.mockImplementation(async () =>
    Response.json({ answers: { goal: 'More customers' }, version: 2 } as unknown as Brief),
  );
  await pass(10_000);
  expect(result.current).toMatchObject({ isUnsaved: false, problem: undefined });
  const callCount = site.mock.calls.length;
  await pass(60_000);
  expect(site.mock.calls).toHaveLength(callCount);
});
