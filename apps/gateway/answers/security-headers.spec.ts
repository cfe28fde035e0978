import { expect, test } from '@jest/globals';
import { securityHeaders } from './security-headers.js';

const formActionOf = (checkoutUrl?: string) =>
  /form-action ([^;]*)/.exec(
    securityHeaders({ secure: true, checkoutUrl }).page['Content-Security-Policy']!,
  )?.[1];

test.each([
  ['https://www.paypal.com/cgi-bin/webscr', "'self' https://www.paypal.com"],
  ['http://127.0.0.1:4100/cgi-bin/webscr', "'self' http://127.0.0.1:4100"],
  [undefined, "'self'"],
])('forms of a site whose checkout is %s go to %s', (checkoutUrl, expected) => {
  expect(formActionOf(checkoutUrl)).toBe(expected);
});
