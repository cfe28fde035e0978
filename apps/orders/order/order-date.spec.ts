import { expect, test } from '@jest/globals';
import { orderDay, usDate } from './order-date.js';

const noon = new Date('2026-03-01T12:00:00Z');
const serverDay = '2026-03-01';

test.each([
  [undefined, serverDay],
  ['03/01/2026', '2026-03-01'],
  ['03/02/2026', '2026-03-02'],
  ['02/28/2026', '2026-02-28'],
  ['02/29/2026', serverDay],
  ['03/03/2026', serverDay],
  ['02/27/2026', serverDay],
  ['03/01/2025', serverDay],
  ['13/45/2026', serverDay],
  ['00/00/0000', serverDay],
])('an order with the client’s date %s has the day %s', (sent, expected) => {
  expect(orderDay(sent, noon)).toBe(expected);
});

test('a day is formatted as MM/DD/YYYY', () => {
  expect(usDate('2026-03-01')).toBe('03/01/2026');
});
