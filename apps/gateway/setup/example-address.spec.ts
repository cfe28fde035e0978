import { expect, test } from '@jest/globals';
import { isExampleAddress } from './example-address.js';

test.each([
  'hello@example.com',
  'hello@mail.example.org',
  'payments@northrank.example',
  'me@localhost',
  'Me@Example.NET',
])('%s is an example', (address) => {
  expect(isExampleAddress(address)).toBe(true);
});

test.each(['hello@summit-search.com', 'example@summit.org', 'me@myexample.com', 'me@example.com.au'])(
  '%s is a real address',
  (address) => {
    expect(isExampleAddress(address)).toBe(false);
  },
);
