import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkoutSettings, checkoutOriginsOf } from './checkout-settings.js';

const originsOf = (env: Record<string, string>) => checkoutOriginsOf(z.object(checkoutSettings).parse(env));

test.each([
  [{ PAYPAL_MODE: 'live' }, ['https://www.paypal.com']],
  [
    { PAYPAL_MODE: 'sandbox', PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:4100' },
    ['https://www.sandbox.paypal.com'],
  ],
  [{ PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:4100/' }, ['http://127.0.0.1:4100']],
  [{}, []],
])('with %j, forms may be posted to %j', (env, origins) => {
  expect(originsOf(env)).toEqual(origins);
});
