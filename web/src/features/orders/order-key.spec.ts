/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { formatOrderDate, useOrderKey } from './order-key.js';
import { placeOrder } from './place-order.js';

beforeEach(() => {
  jest.useFakeTimers();
});
const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
  jest.useRealTimers();
  localStorage.clear();
});

/** In these tests, a call of the form’s `orderDateFor` stands for sending the order. */
const openForm = () => renderHook(() => useOrderKey('ada:basic')).result.current;
const order = {
  ...{ packageName: 'Basic', packagePrice: '290.00', customerEmail: 'ada@example.com' },
  ...{ customerName: 'Ada', customerAddress: '12 St James’s Square', customerCountry: 'UK' },
};
const morning = new Date(2026, 10, 20, 7, 30);
const evening = new Date(2026, 10, 20, 22, 30);
const nextMorning = new Date(2026, 10, 21, 7, 30);
const nextEvening = new Date(2026, 10, 21, 23, 30);
const dayAfterNext = new Date(2026, 10, 22, 7, 30);

test('an order has the day on which it is sent, not the day on which its form was opened', () => {
  jest.setSystemTime(evening);
  const form = openForm();
  jest.setSystemTime(nextMorning);
  expect(form.orderDateFor(order)).toBe('11/21/2026');
});

test('an order that is sent again after midnight, or from another tab, keeps its day', () => {
  jest.setSystemTime(evening);
  const [form, otherTab] = [openForm(), openForm()];
  expect(form.orderDateFor(order)).toBe('11/20/2026');
  jest.setSystemTime(nextMorning);
  for (const sentAgain of [form, otherTab, openForm()])
    expect(sentAgain.orderDateFor(order)).toBe('11/20/2026');
});

test('an order that is placed after another one has its own day', () => {
  jest.setSystemTime(evening);
  const form = openForm();
  form.orderDateFor(order);
  form.markPlaced();
  jest.setSystemTime(nextMorning);
  expect(openForm().orderDateFor(order)).toBe('11/21/2026');
});

test('an order that is sent again after another version of it was sent keeps its day', () => {
  jest.setSystemTime(evening);
  const form = openForm();
  form.orderDateFor(order);
  form.orderDateFor({ ...order, renews: true });
  jest.setSystemTime(nextMorning);
  for (const sentAgain of [form, openForm()]) expect(sentAgain.orderDateFor(order)).toBe('11/20/2026');
});

test('an order that is sent from a form that was open for more than a day keeps its key when it is sent again after a reload', () => {
  jest.setSystemTime(evening);
  const form = openForm();
  jest.setSystemTime(dayAfterNext);
  form.orderDateFor(order);
  const reloaded = openForm();
  expect(reloaded.idempotencyKeyFor(order)).toBe(form.idempotencyKeyFor(order));
});

test('if another tab sends an order again long after the first time, the first tab uses the new day, too', () => {
  jest.setSystemTime(evening);
  const [form, otherTab] = [openForm(), openForm()];
  form.orderDateFor(order);
  jest.setSystemTime(nextEvening);
  expect(otherTab.orderDateFor(order)).toBe('11/21/2026');
  jest.setSystemTime(dayAfterNext);
  expect(form.orderDateFor(order)).toBe('11/21/2026');
});

test('keys of earlier orders are not kept for ever', () => {
  jest.setSystemTime(evening);
  renderHook(() => useOrderKey('ada:premium'));
  jest.setSystemTime(dayAfterNext);
  openForm();
  expect(Object.keys(localStorage)).toEqual(['order-key:ada:basic']);
});

test('another version of an order, sent from another tab, has its own day', () => {
  jest.setSystemTime(evening);
  const [form, otherTab] = [openForm(), openForm()];
  form.orderDateFor(order);
  jest.setSystemTime(nextMorning);
  expect(otherTab.orderDateFor({ ...order, renews: true })).toBe('11/21/2026');
  expect(form.orderDateFor(order)).toBe('11/20/2026');
});

test('a form that is sent on a later day, after its order was placed in another tab, places no other order', async () => {
  const sent: [key: string | null, body: unknown][] = [];
  globalThis.fetch = (async (_url: string, { headers, body }: RequestInit) => {
    sent.push([new Headers(headers).get('idempotency-key'), body]);
    return Response.json({ _id: '1' }, { status: 201 });
  }) as typeof fetch;
  jest.setSystemTime(morning);
  const [form, otherTab] = [openForm(), openForm()];
  jest.setSystemTime(evening);
  await placeOrder(form, order);
  form.markPlaced();
  jest.setSystemTime(nextMorning);
  await placeOrder(otherTab, order);
  expect(sent[1]).toEqual(sent[0]);
});

test('an order that was first sent longer ago than the server remembers has the day on which it is sent again', () => {
  jest.setSystemTime(evening);
  const [form, otherTab] = [openForm(), openForm()];
  form.orderDateFor(order);
  jest.setSystemTime(dayAfterNext);
  expect(otherTab.orderDateFor(order)).toBe('11/22/2026');
});

test.each([
  [new Date(2026, 0, 5), '01/05/2026'],
  [new Date(2026, 10, 21, 23, 59), '11/21/2026'],
])('%s is formatted as %s', (at, written) => {
  expect(formatOrderDate(at)).toBe(written);
});
