import { expect, test } from '@jest/globals';
import { securityHeaders } from './security-headers.js';

const formActionOf = (checkoutOrigins?: string[]) =>
  /form-action ([^;]*)/.exec(
    securityHeaders({ secure: true, checkoutOrigins }).page['Content-Security-Policy']!,
  )?.[1];

test.each([
  [['https://pay.example', 'https://other.example'], "'self' https://pay.example https://other.example"],
  [['http://127.0.0.1:4100'], "'self' http://127.0.0.1:4100"],
  [undefined, "'self'"],
])('with the checkout origins %j, forms may be posted to %s', (checkoutOrigins, expected) => {
  expect(formActionOf(checkoutOrigins)).toBe(expected);
});
