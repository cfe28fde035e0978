import { describe, expect, test } from '@jest/globals';
import { pathOf } from './path.js';

test('a path has its parameters, and the query parameters that have a value', () => {
  const query = { own: true, search: undefined, limit: 5 };
  expect(pathOf('GET /orders', { query })).toBe('/orders?own=true&limit=5');
  expect(pathOf('GET /orders', { query: { search: undefined } })).toBe('/orders');
  expect(pathOf('GET /order/:id/timeline', { params: { id: 'a/b' } })).toBe('/order/a%2Fb/timeline');
});

// The type check fails where an expected error does not occur.
describe('a path does not compile with', () => {
  test('an unknown path parameter', () => {
    // @ts-expect-error -- the parameter is called id
    expect(pathOf('GET /order/:id', { params: { id: '1', order: '2' } })).toBe('/order/1');
  });

  test('an unknown query parameter', () => {
    // @ts-expect-error -- the parameter is called own
    expect(pathOf('GET /orders/summary', { query: { mine: true } })).toBe('/orders/summary?mine=true');
  });

  test('a query parameter with an invalid value', () => {
    // @ts-expect-error -- the states are queued, sending, sent, failed and cancelled
    expect(pathOf('GET /mails', { query: { state: 'lost' } })).toBe('/mails?state=lost');
  });
});
