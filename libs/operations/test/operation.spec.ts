import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { operations } from '../src/index.js';

test('every operation has a unique id and a unique address', () => {
  const ids = operations.map(({ operationId }) => operationId);
  const addresses = operations.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('every operation that takes JSON has a body schema that refuses unknown fields', () => {
  // Fields that are missing are refused as well.
  const refuses = (body: z.ZodType) =>
    JSON.stringify(body.safeParse({ unknownField: 1 }).error?.issues ?? []).includes('unrecognized_keys');
  const accepting = operations.filter(({ body }) => body && !refuses(body));
  expect(accepting.map(({ operationId }) => operationId)).toEqual([]);
});
