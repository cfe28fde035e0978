import { expect, test } from '@jest/globals';
import { linksIn, wrongLink } from './links.js';

test('links are separated by line breaks or spaces, and empty lines are ignored', () => {
  expect(linksIn(' https://example.com/a https://example.com/b \n\nhttp://example.com\n')).toEqual([
    'https://example.com/a',
    'https://example.com/b',
    'http://example.com',
  ]);
  expect(linksIn(' \n')).toEqual([]);
});

test('the first part that is not an http or https address is returned', () => {
  expect(wrongLink('https://example.com\nhttp://example.com/b')).toBeUndefined();
  expect(wrongLink('https://example.com\nexample.com')).toBe('example.com');
  expect(wrongLink('javascript:alert(1)')).toBe('javascript:alert(1)');
});
