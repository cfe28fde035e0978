/** @jest-environment ./web/dom-environment.mjs */
import { focusManager, onlineManager, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { type ChangeResult, newQueryClient, useQuery, useRead, useSave } from './query.js';

const site = jest.fn<(path: string) => Response | Promise<Response>>();
const signals: RequestInit['signal'][] = [];
const realFetch = globalThis.fetch;

const answer = (value: unknown, headers: Record<string, string> = {}) => Response.json(value, { headers });
const refusal = (status: number) => Response.json({ detail: 'Not now.' }, { status });
const requestedPaths = () => site.mock.calls.map(([path]) => path);

function Queries({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

const read = (path: string | null) =>
  renderHook((at: string | null) => useRead(at), { initialProps: path, wrapper: Queries });

beforeEach(() => {
  site.mockReset();
  signals.length = 0;
  globalThis.fetch = (async (path: string, { signal }: RequestInit = {}) => {
    signals.push(signal);
    return site(path);
  }) as typeof fetch;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = realFetch;
});

test('a read is loading, and then has the answer and the total', async () => {
  site.mockReturnValue(answer(['a'], { 'x-total-count': '12' }));
  const { result } = read('/orders');
  expect(result.current).toMatchObject({ loading: true, data: undefined });
  await waitFor(() => expect(result.current.data).toEqual(['a']));
  expect(result.current).toMatchObject({ loading: false, total: 12, problem: undefined });
});

test('a page of a list stays while the next one is loading', async () => {
  let arrive!: (response: Response) => void;
  site.mockReturnValueOnce(answer(['first page']));
  site.mockReturnValueOnce(new Promise((resolve) => (arrive = resolve)));
  const { result, rerender } = read('/orders?page=1');
  await waitFor(() => expect(result.current.data).toEqual(['first page']));
  rerender('/orders?page=2');
  expect(result.current).toMatchObject({ loading: true, data: ['first page'] });
  await act(async () => arrive(answer(['second page'])));
  await waitFor(() => expect(result.current.data).toEqual(['second page']));
  expect(result.current.loading).toBe(false);
});

test('a page that cannot be read shows no data of another page; it is read again only on request, and the problem stays meanwhile', async () => {
  site.mockReturnValueOnce(answer(['first page']));
  site.mockReturnValueOnce(refusal(503));
  const { result, rerender } = read('/orders?page=1');
  await waitFor(() => expect(result.current.data).toEqual(['first page']));
  rerender('/orders?page=2');
  await waitFor(() => expect(result.current.problem?.sentence).toBe('Not now.'));
  expect(result.current).toMatchObject({ loading: false, data: undefined });
  expect(requestedPaths()).toEqual(['/orders?page=1', '/orders?page=2']);
  let arrive!: (response: Response) => void;
  site.mockReturnValueOnce(new Promise((resolve) => (arrive = resolve)));
  await act(async () => result.current.retry());
  expect(result.current).toMatchObject({ retrying: true, problem: { sentence: 'Not now.' } });
  await act(async () => arrive(answer(['second page'])));
  await waitFor(() => expect(result.current.data).toEqual(['second page']));
  expect(result.current).toMatchObject({ retrying: false, problem: undefined });
});

test('the problem of one page is not shown while another page is read', async () => {
  site.mockReturnValueOnce(refusal(503));
  site.mockReturnValueOnce(new Promise(() => {}));
  const { result, rerender } = read('/orders?page=1');
  await waitFor(() => expect(result.current.problem?.sentence).toBe('Not now.'));
  rerender('/orders?page=2');
  expect(result.current).toMatchObject({ loading: true, retrying: false, problem: undefined });
});

test('without a connection a read fails immediately instead of waiting for one', async () => {
  onlineManager.setOnline(false);
  try {
    site.mockRejectedValue(new TypeError('Failed to fetch'));
    const { result } = read('/orders');
    await waitFor(() => expect(result.current.problem?.status).toBe(0));
  } finally {
    onlineManager.setOnline(true);
  }
});

test('reading null sends no request', () => {
  const { result } = read(null);
  expect(result.current).toMatchObject({ loading: false, data: undefined, problem: undefined });
  expect(site).not.toHaveBeenCalled();
});

test('data is not cached after its screen is left', async () => {
  const client = newQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const open = () => renderHook(() => useRead('/orders'), { wrapper });
  site.mockReturnValueOnce(answer(['unpaid']));
  const left = open();
  await waitFor(() => expect(left.result.current.data).toEqual(['unpaid']));
  left.unmount();
  await waitFor(() => expect(client.getQueryCache().getAll()).toEqual([]));
  site.mockReturnValueOnce(new Promise(() => undefined));
  expect(open().result.current).toMatchObject({ loading: true, data: undefined });
});

test('a read in progress is aborted when its screen is left', async () => {
  site.mockReturnValue(new Promise(() => undefined));
  const { unmount } = read('/orders');
  expect(signals).toHaveLength(1);
  expect(signals[0]?.aborted).toBe(false);
  unmount();
  await waitFor(() => expect(signals[0]?.aborted).toBe(true));
});

test('polling continues while the answer may change, but not in a hidden tab', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  try {
    const polling = { everyMs: 10, while: ([state]: string[]) => state === 'running' };
    site.mockImplementation(() => answer(['running']));
    const { result } = renderHook(() => useRead('/import', polling), { wrapper: Queries });
    await pass(100);
    expect(site.mock.calls.length).toBeGreaterThan(2);
    act(() => focusManager.setFocused(false));
    const before = site.mock.calls.length;
    await pass(1000);
    expect(site.mock.calls.length).toBe(before);
    act(() => focusManager.setFocused(undefined));
    site.mockImplementation(() => answer(['finished']));
    await pass(100);
    expect(result.current.data).toEqual(['finished']);
    const after = site.mock.calls.length;
    await pass(1000);
    expect(site.mock.calls.length).toBe(after);
  } finally {
    jest.useRealTimers();
  }
});

test('polling begins even if the first read has failed temporarily, but not if there is nothing at the address', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  try {
    const polling = { everyMs: 10, while: () => true };
    for (const [status, reads] of [
      [503, 2],
      [404, 1],
    ] as const) {
      site.mockClear();
      site.mockImplementation(async () => Response.json({ detail: 'Failed' }, { status }));
      const { unmount } = renderHook(() => useRead('/import', polling), { wrapper: Queries });
      await act(() => jest.advanceTimersByTimeAsync(15));
      expect([status, site.mock.calls.length]).toEqual([status, reads]);
      unmount();
    }
  } finally {
    jest.useRealTimers();
  }
});

// The type check fails if the line below `@ts-expect-error` compiles.
test('polling does not compile with a state that the answer cannot have', async () => {
  site.mockReturnValue(answer({ state: 'sent' }));
  const useCampaign = () =>
    useQuery(
      'GET /campaign/:id',
      { params: { id: 'a/b' } },
      // @ts-expect-error -- the states are draft, scheduled, sending, paused, sent and cancelled
      { everyMs: 1000, while: ({ state }) => state === 'running' },
    );
  const { result } = renderHook(useCampaign, { wrapper: Queries });
  await waitFor(() => expect(result.current.data?.state).toBe('sent'));
  expect(requestedPaths()).toEqual(['/campaign/a%2Fb']);
});

function renderSave(change: () => Promise<ChangeResult>) {
  return renderHook(() => ({ query: useRead('/orders'), ...useSave(change) }), {
    wrapper: Queries,
  });
}

test('the screen shows a change before the toast, and before `save` resolves', async () => {
  site.mockReturnValueOnce(answer(['unpaid']));
  const shownAt: Record<string, unknown> = {};
  const showToast = () => (shownAt.toast = result.current.query.data);
  const change = jest.fn(async () => showToast);
  const { result } = renderSave(change);
  await waitFor(() => expect(result.current.query.data).toEqual(['unpaid']));
  let arrive!: (response: Response) => void;
  site.mockReturnValueOnce(new Promise((resolve) => (arrive = resolve)));
  let saved!: Promise<unknown>;
  act(() => {
    saved = result.current
      .save()
      .then((isMade) => (shownAt[`save resolved to ${isMade}`] = result.current.query.data));
  });
  await waitFor(() => expect(requestedPaths()).toEqual(['/orders', '/orders']));
  expect(change).toHaveBeenCalledTimes(1);
  expect(shownAt).toEqual({});
  arrive(answer(['paid']));
  // With `waitFor`, because `act` would delay the rendering.
  await waitFor(() => saved);
  expect(shownAt).toEqual({ toast: ['paid'], 'save resolved to true': ['paid'] });
});

test('`save` still succeeds, with a toast, if reading again fails', async () => {
  site.mockReturnValueOnce(answer(['unpaid']));
  const showToast = jest.fn();
  const { result } = renderSave(async () => showToast);
  await waitFor(() => expect(result.current.query.data).toEqual(['unpaid']));
  site.mockReturnValueOnce(refusal(503));
  await act(async () => expect(await result.current.save()).toBe(true));
  expect(showToast).toHaveBeenCalledTimes(1);
});

test('a change of an outdated version is refused, and the newest version is read', async () => {
  site.mockReturnValueOnce(answer(['unpaid']));
  const { result } = renderSave(async () => ({ status: 412, sentence: 'It has changed.', fields: [] }));
  await waitFor(() => expect(result.current.query.data).toEqual(['unpaid']));
  site.mockReturnValueOnce(answer(['cancelled']));
  await act(async () => expect(await result.current.save()).toBe(false));
  await waitFor(() => expect(result.current.query.data).toEqual(['cancelled']));
  expect(result.current.problem?.sentence).toBe('It has changed.');
});

test('a refused change has a reason, and nothing is read again', async () => {
  site.mockReturnValueOnce(answer(['unpaid']));
  const { result } = renderSave(async () => ({ status: 409, sentence: 'It is paid.', fields: [] }));
  await waitFor(() => expect(result.current.query.data).toEqual(['unpaid']));
  await act(async () => expect(await result.current.save()).toBe(false));
  await waitFor(() => expect(result.current.problem?.sentence).toBe('It is paid.'));
  expect(requestedPaths()).toEqual(['/orders']);
});

test('a change in progress is not made a second time', async () => {
  site.mockImplementation(() => answer([]));
  let finish!: () => void;
  const change = jest.fn(() => new Promise<undefined>((resolve) => (finish = () => resolve(undefined))));
  const { result } = renderSave(change);
  // Both calls come before React renders the first, as in a fast double click.
  let first!: Promise<boolean>;
  await act(async () => {
    first = result.current.save();
    expect(await result.current.save()).toBe(false);
  });
  await waitFor(() => expect(result.current.saving).toBe(true));
  await act(async () => finish());
  expect(await first).toBe(true);
  expect(change).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(result.current.saving).toBe(false));
});
