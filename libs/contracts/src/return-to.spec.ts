import { expect, test } from '@jest/globals';
import { ownPath } from './return-to.js';

test.each(['/', '/order-now/1?plan=a#top', '/my-order', '/a//b', '/@evil.example'])(
  '%j is within the site',
  (path) => {
    expect(ownPath(path)).toBe(path);
  },
);

test.each([
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'evil.example',
  '',
  '/a\\b',
  `/${'a'.repeat(2000)}`,
  undefined,
  ['/a'],
])('%j is refused', (address) => {
  expect(ownPath(address)).toBeUndefined();
});
