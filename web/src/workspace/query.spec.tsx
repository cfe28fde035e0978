/** @jest-environment ./web/dom-environment.mjs */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { newQueryClient, useRead, useSave } from './query.js';

const site = jest.fn<(path: string) => Response | Promise<Response>>();
const realFetch = globalThis.fetch;

const answer = (value: unknown, headers: Record<string, string> = {}) => Response.json(value, { headers });
const refusal = (status: number) => Response.json({ detail: 'Not now.' }, { status });
const asked = () => site.mock.calls.map(([path]) => path);

function Queries({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

const read = (path: string | null) =>
  renderHook((at: string | null) => useRead<string[]>(at), { initialProps: path, wrapper: Queries });

beforeEach(() => {
  site.mockReset();
  globalThis.fetch = (async (path: string) => site(path)) as typeof fetch;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = realFetch;
});

test('a read is loading, and then what was answered, with how many there are', async () => {
  site.mockReturnValue(answer(['a'], { 'x-total-count': '12' }));
  const { result } = read('/orders');
  expect(result.current).toMatchObject({ loading: true, data: undefined });
  await waitFor(() => expect(result.current.data).toEqual(['a']));
  expect(result.current).toMatchObject({ loading: false, total: 12, problem: undefined });
});

test('a page stays while the next one is on its way', async () => {
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

test('a page that cannot be read shows nothing of another page; it is not asked for again by itself, but can be', async () => {
  site.mockReturnValueOnce(answer(['first page']));
  site.mockReturnValueOnce(refusal(503));
  const { result, rerender } = read('/orders?page=1');
  await waitFor(() => expect(result.current.data).toEqual(['first page']));
  rerender('/orders?page=2');
  await waitFor(() => expect(result.current.problem?.sentence).toBe('Not now.'));
  expect(result.current).toMatchObject({ loading: false, data: undefined });
  expect(asked()).toEqual(['/orders?page=1', '/orders?page=2']);
  site.mockReturnValueOnce(answer(['second page']));
  act(() => result.current.retry());
  await waitFor(() => expect(result.current.data).toEqual(['second page']));
});

test('without a connection a read fails at once instead of waiting for one', async () => {
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  site.mockRejectedValue(new TypeError('Failed to fetch'));
  const { result } = read('/orders');
  await waitFor(() => expect(result.current.problem?.status).toBe(0));
});

test('null reads nothing', () => {
  const { result } = read(null);
  expect(result.current).toMatchObject({ loading: false, data: undefined, problem: undefined });
  expect(site).not.toHaveBeenCalled();
});

test('nothing is left of what one account has read when another one signs in', async () => {
  site.mockReturnValueOnce(answer(['Ada’s order']));
  const ada = read('/orders');
  await waitFor(() => expect(ada.result.current.data).toEqual(['Ada’s order']));
  ada.unmount();
  site.mockReturnValueOnce(new Promise(() => undefined));
  expect(read('/orders').result.current).toMatchObject({ loading: true, data: undefined });
});

function saving(change: () => Promise<undefined | { status: number; sentence: string; fields: [] }>) {
  return renderHook(() => ({ query: useRead<string[]>('/orders'), ...useSave(change) }), {
    wrapper: Queries,
  });
}

test('after a change, what the screen shows is read again before the change counts as done', async () => {
  site.mockReturnValueOnce(answer(['unpaid']));
  const { result } = saving(async () => undefined);
  await waitFor(() => expect(result.current.query.data).toEqual(['unpaid']));
  site.mockReturnValueOnce(answer(['paid']));
  await act(async () => expect(await result.current.save()).toBe(true));
  await waitFor(() => expect(result.current.query.data).toEqual(['paid']));
});

test('a change that is refused says why, and nothing is read again', async () => {
  site.mockReturnValueOnce(answer(['unpaid']));
  const { result } = saving(async () => ({ status: 409, sentence: 'It is paid.', fields: [] }));
  await waitFor(() => expect(result.current.query.data).toEqual(['unpaid']));
  await act(async () => expect(await result.current.save()).toBe(false));
  await waitFor(() => expect(result.current.problem?.sentence).toBe('It is paid.'));
  expect(asked()).toEqual(['/orders']);
});

test('a change that is under way is not made a second time', async () => {
  site.mockImplementation(() => answer([]));
  let finish!: () => void;
  const change = jest.fn(() => new Promise<undefined>((resolve) => (finish = () => resolve(undefined))));
  const { result } = saving(change);
  // Both before React has heard of the first: a fast double click.
  const [first, second] = [result.current.save(), result.current.save()];
  expect(await second).toBe(false);
  await waitFor(() => expect(result.current.saving).toBe(true));
  await act(async () => finish());
  expect(await first).toBe(true);
  expect(change).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(result.current.saving).toBe(false));
});
