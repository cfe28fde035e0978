import { describe, expect, test } from '@jest/globals';
import { HttpFailure } from '../problem/problem.js';
import { refuseCrossSite } from './origin.js';
import { adminsOnly, openToAll, type Policy } from '#libs/contracts';

const ownOrigin = 'https://site.example';
const signInPolicy: Policy = { ...openToAll, setsCookies: true };

function passes(
  headers: Record<string, string>,
  { hasCookies = false, policy = adminsOnly, method = 'POST' } = {},
) {
  try {
    refuseCrossSite({
      method,
      headers,
      policy,
      hasCookies,
      ownOrigin,
      isAllowedOrigin: (origin) => origin === 'https://partner.example',
    });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(HttpFailure);
    expect(error).toMatchObject({ code: 'CROSS_SITE_REQUEST' });
    return false;
  }
}

describe('a write with cookies', () => {
  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: ownOrigin }, true],
    [{ origin: ownOrigin }, true],
    [{}, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'null' }, false],
    [{ origin: 'http://site.example' }, false],
    [{ origin: 'https://site.example.evil.example' }, false],
    [{ origin: 'https://partner.example' }, false],
  ])('with %j passes: %s', (headers, expected) => {
    expect(passes(headers as Record<string, string>, { hasCookies: true })).toBe(expected);
  });
});

test('a read with cookies is never refused', () => {
  expect(passes({ 'sec-fetch-site': 'cross-site' }, { hasCookies: true, method: 'GET' })).toBe(true);
});

describe('a write without cookies', () => {
  test.each([
    [{}, true],
    [{ authorization: 'Bearer x', origin: 'https://evil.example' }, true],
    [{ authorization: 'Basic eDp4', origin: 'https://evil.example' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://partner.example', 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': 'cross-site' }, false],
  ])('with %j passes: %s', (headers, expected) => {
    expect(passes(headers as Record<string, string>, { policy: openToAll })).toBe(expected);
  });
});

test('another site cannot sign anybody in, even if it may call the API; a client that is not a browser can', () => {
  expect(passes({ origin: 'https://partner.example' }, { policy: signInPolicy })).toBe(false);
  expect(passes({}, { policy: signInPolicy })).toBe(true);
});
