import { expect, test } from '@jest/globals';
import { cutText } from './cut-text.js';

test.each([
  ['short', 10, 'short'],
  ['longer', 4, 'long'],
  ['four😀', 5, 'four'],
  ['four😀', 6, 'four😀'],
])('%j, cut after %d code units, is %j', (text, maxLength, cut) => {
  expect(cutText(text, maxLength)).toBe(cut);
});
