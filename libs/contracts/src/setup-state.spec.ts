import { expect, test } from '@jest/globals';
import { setupStateOf } from './setup-state.js';

test.each([
  'hello@example.com',
  'hello@mail.example.org',
  'payments@northrank.example',
  'me@localhost',
  'Me@Example.NET',
])('%s is an example', (address) => {
  expect(setupStateOf(address)).toBe('demo');
});

test.each([
  'hello@summit-search.com',
  'example@summit.org',
  'me@myexample.com',
  'me@example.com.au',
  'acct_1NxY2z',
])('%s is a real address or account', (address) => {
  expect(setupStateOf(address)).toBe('done');
});

test('without an address, the setup state is `missing`', () => {
  expect(setupStateOf(null)).toBe('missing');
});
