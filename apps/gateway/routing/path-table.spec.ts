import { describe, expect, test } from '@jest/globals';
import { PathTable } from './path-table.js';

const table = new PathTable<string>();
for (const pattern of [
  '/',
  '/service',
  '/service/:id',
  '/:id',
  '/admin',
  '/admin/payment-status/:id',
  '/history/:section/:id',
  '/add-Service',
]) {
  table.declare(pattern, () => pattern);
}

describe('finding the declaration of a path', () => {
  test.each([
    ['/', '/'],
    ['/service', '/service'],
    ['/service/', '/service'],
    ['/SERVICE', '/service'],
    ['/add-service/', '/add-Service'],
    ['/service/17', '/service/:id'],
    ['/anything', '/:id'],
    ['/admin/payment-status/9', '/admin/payment-status/:id'],
    ['/history/banner/4', '/history/:section/:id'],
  ])('%s is declared as %s', (path, pattern) => {
    expect(table.match(path)?.value).toBe(pattern);
  });

  test.each(['/service/17/18', '/service//17', '//service', '/admin/else', '/history/banner', '/service//'])(
    '%s is not declared',
    (path) => {
      expect(table.match(path)).toBeUndefined();
    },
  );
});

test('parameters keep their letter case', () => {
  expect(table.match('/HISTORY/FaqItem/AbC')?.parameters).toEqual(['FaqItem', 'AbC']);
});

test('two spellings of one pattern share a declaration', () => {
  const first = table.declare('/Twin/:id', () => 'first');
  expect(table.declare('/twin/:other/', () => 'second')).toBe(first);
});
