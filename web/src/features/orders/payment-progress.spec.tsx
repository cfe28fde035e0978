/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { answerCalls } from '../../workspace/open-screen.js';
import { QueryProvider } from '../../workspace/QueryProvider.js';
import { usePaymentProgress } from './payment-progress.js';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] }));
afterEach(() => void jest.useRealTimers());

const order = {
  _id: 'order-1',
  version: 1,
  paymentStatus: 'UnPaid',
  paymentState: 'unpaid',
  paymentHold: null,
};

test('the transaction id in the return address is passed on until a call with it succeeds', async () => {
  const asked: unknown[] = [];
  answerCalls((call, body) => {
    // After a success, the hook asks again only if the order has another version.
    if (call.startsWith('GET')) return Response.json({ ...order, version: asked.length });
    asked.push(body);
    return asked.length === 1 ? Response.json({}, { status: 503 }) : Response.json({ outlook: 'confirming' });
  });
  renderHook(() => usePaymentProgress('order-1', 'TX1'), { wrapper: QueryProvider });
  await act(() => jest.advanceTimersByTimeAsync(5_000));
  expect(asked.slice(0, 3)).toEqual([{ tx: 'TX1' }, { tx: 'TX1' }, {}]);
});

test('the transaction id is passed on again when the customer checks again after polling has stopped', async () => {
  let asked: unknown[] = [];
  answerCalls((call, body) => {
    if (call.startsWith('GET')) return Response.json(order);
    asked.push(body);
    return Response.json({}, { status: 503 });
  });
  const { result } = renderHook(() => usePaymentProgress('order-1', 'TX1'), { wrapper: QueryProvider });
  await act(() => jest.advanceTimersByTimeAsync(600_000));
  expect(result.current.givenUp).toBe(true);
  asked = [];
  act(() => result.current.checkAgain());
  await act(() => jest.advanceTimersByTimeAsync(0));
  expect(asked).toEqual([{ tx: 'TX1' }]);
});
