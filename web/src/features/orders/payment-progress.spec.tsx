/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { answerCalls } from '../../workspace/open-screen.js';
import { Queries } from '../../workspace/Queries.js';
import { usePaymentProgress } from './payment-progress.js';

afterEach(() => void jest.useRealTimers());

test('the transaction of the return address is passed on until the server has answered', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  const order = {
    _id: 'order-1',
    version: 1,
    paymentStatus: 'UnPaid',
    paymentState: 'unpaid',
    paymentHold: null,
  };
  const asked: unknown[] = [];
  answerCalls((call, body) => {
    if (call.startsWith('GET')) return Response.json({ ...order, version: asked.length });
    asked.push(body);
    return asked.length === 1 ? Response.json({}, { status: 503 }) : Response.json({ outlook: 'confirming' });
  });
  renderHook(() => usePaymentProgress('order-1', 'TX1'), { wrapper: Queries });
  await act(() => jest.advanceTimersByTimeAsync(5_000));
  expect(asked.slice(0, 3)).toEqual([{ tx: 'TX1' }, { tx: 'TX1' }, {}]);
});
