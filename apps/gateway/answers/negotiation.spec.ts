import { describe, expect, test } from '@jest/globals';
import { chooseAnswer, weightOf } from './negotiation.js';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const axios = 'application/json, text/plain, */*';

const atCallPath = { json: true, page: true, isPagePath: false };
const atPagePath = { json: true, page: true, isPagePath: true };
const onlyCall = { json: true, page: false, isPagePath: false };
const onlyPage = { json: false, page: true, isPagePath: true };

describe('a path that is both a page and a call', () => {
  test.each([
    [browser, 'page'],
    ['text/html', 'page'],
    ['TEXT/HTML; charset=utf-8', 'page'],
    ['application/json', 'json'],
    [axios, 'json'],
    ['application/json;q=0.9, text/html', 'page'],
    ['application/json, text/html;q=0.9', 'json'],
    ['application/json, text/html', 'page'],
    ['text/html;q=0, */*', 'json'],
    ['application/json;q=0, text/html;q=0', 'json'],
    ['*/*', 'json'],
    ['text/*', 'json'],
    ['', 'json'],
    [undefined, 'json'],
    ['text/html;q=nonsense', 'page'],
    [',,;;', 'json'],
  ] as const)('at the call’s own path, answers Accept: %s with the %s', (accept, expected) => {
    expect(chooseAnswer(atCallPath, accept)).toBe(expected);
  });

  test.each([
    ['*/*', 'page'],
    [undefined, 'page'],
    ['application/json', 'json'],
    [browser, 'page'],
  ] as const)(
    'at the page’s own path, which ends with a slash, answers Accept: %s with the %s',
    (accept, expected) => {
      expect(chooseAnswer(atPagePath, accept)).toBe(expected);
    },
  );
});

test.each([browser, 'application/json', '*/*', undefined])(
  'a path that is only a call answers Accept: %s with JSON',
  (accept) => {
    expect(chooseAnswer(onlyCall, accept)).toBe('json');
  },
);

test.each([browser, 'application/json', '*/*', undefined])(
  'a path that is only a page answers Accept: %s with the page',
  (accept) => {
    expect(chooseAnswer(onlyPage, accept)).toBe('page');
  },
);

test('a wildcard in Accept does not count as the name of a type', () => {
  expect(weightOf('text/html', 'text/*;q=0.5, */*')).toBe(0);
});
