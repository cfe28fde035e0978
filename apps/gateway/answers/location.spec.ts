import { expect, test } from '@jest/globals';
import { encodeLocation } from './location.js';

test.each([
  ['/my-order?page=2#top', '/my-order?page=2#top'],
  ['/caf%C3%A9', '/caf%C3%A9'],
  ['/café', '/caf%C3%A9'],
  ['/注文?q=日', '/%E6%B3%A8%E6%96%87?q=%E6%97%A5'],
  ['/😀', '/%F0%9F%98%80'],
  ['/\ud800', '/%EF%BF%BD'],
  ['/a b\r\nSet-Cookie: x', '/a%20b%0D%0ASet-Cookie:%20x'],
])('a redirect to %j has the Location header %s', (path, header) => {
  expect(encodeLocation(path)).toBe(header);
});
