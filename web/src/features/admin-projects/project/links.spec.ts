import { expect, test } from '@jest/globals';
import { findWrongLink, linksIn } from './links.js';

test('links are separated by line breaks or spaces, and empty lines are ignored', () => {
  expect(linksIn(' https://example.com/a https://example.com/b \n\nhttp://example.com\n')).toEqual([
    'https://example.com/a',
    'https://example.com/b',
    'http://example.com',
  ]);
  expect(linksIn(' \n')).toEqual([]);
});

test('the first part that is not an http or https address is returned', () => {
  expect(findWrongLink('https://example.com\nhttp://example.com/b')).toBeUndefined();
  expect(findWrongLink('https://example.com\nexample.com')).toBe('example.com');
  expect(findWrongLink('javascript:alert(1)')).toBe('javascript:alert(1)');
});
