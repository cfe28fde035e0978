import { describe, expect, test } from '@jest/globals';
import { addressKind } from './address.js';

describe('the kind of an address', () => {
  test.each([
    ['/pricing/', 'path'],
    ['#faq', 'fragment'],
    ['https://example.com/', 'elsewhere'],
    ['mailto:a@example.com', 'elsewhere'],
    ['//example.com', undefined],
    ['/\\example.com', undefined],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['', undefined],
  ])('%s: %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});
