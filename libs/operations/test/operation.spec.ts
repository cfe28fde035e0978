import { expect, test } from '@jest/globals';
import { operations } from '../src/index.js';

test('every operation has a unique id and a unique address', () => {
  const ids = operations.map(({ operationId }) => operationId);
  const addresses = operations.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('every operation that takes JSON has a body schema that refuses unknown fields', () => {
  const accepting = operations.filter(({ body }) => body?.safeParse({ unknownField: 1 }).success);
  expect(accepting.map(({ operationId }) => operationId)).toEqual([]);
});
