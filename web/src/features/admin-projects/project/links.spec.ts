import { expect, test } from '@jest/globals';
import { linksIn, wrongLink } from './links.js';

test('links stand on lines of their own, with blanks or empty lines around them', () => {
  expect(linksIn(' https://example.com/a \n\nhttp://example.com\n')).toEqual([
    'https://example.com/a',
    'http://example.com',
  ]);
  expect(linksIn(' \n')).toEqual([]);
});

test('what is no address of a page is named', () => {
  expect(wrongLink('https://example.com\nhttp://example.com/b')).toBeUndefined();
  expect(wrongLink('https://example.com\nexample.com')).toBe('example.com');
  expect(wrongLink('javascript:alert(1)')).toBe('javascript:alert(1)');
});
