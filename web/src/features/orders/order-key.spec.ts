import { expect, test } from '@jest/globals';
import { formatOrderDate } from './order-key.js';

test.each([
  [new Date(2026, 0, 5), '01/05/2026'],
  [new Date(2026, 10, 21, 23, 59), '11/21/2026'],
])('%s is formatted as %s', (at, written) => {
  expect(formatOrderDate(at)).toBe(written);
});
