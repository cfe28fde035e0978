import { expect, test } from '@jest/globals';
import { safeInteger } from './safe-integer.js';

test('a bigint column is read as a number, and nothing as nothing', () => {
  expect(['29000', '0', null].map((value) => safeInteger.from(value))).toEqual([29_000, 0, null]);
});
