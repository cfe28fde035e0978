import { expect, test } from '@jest/globals';
import { safeInteger } from './safe-integer.js';

test.each([
  ['29000', 29_000],
  ['0', 0],
  [null, null],
])('the driver’s %j is read as %j, which is written unchanged', (stored, value) => {
  expect(safeInteger.from(stored)).toBe(value);
  expect(safeInteger.to(value)).toBe(value);
});
