import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { operations } from '../src/index.js';

test('every operation has a unique id and a unique address', () => {
  const ids = operations.map(({ operationId }) => operationId);
  const addresses = operations.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('the body schema of every operation refuses unknown fields', () => {
  // Missing fields are reported as well.
  const refuses = (body: z.ZodType) =>
    JSON.stringify(body.safeParse({ unknownField: 1 }).error?.issues ?? []).includes('unrecognized_keys');
  const lenient = operations.filter(({ body }) => body && !refuses(body));
  expect(lenient.map(({ operationId }) => operationId)).toEqual([]);
});
