import { describe, expect, test } from '@jest/globals';
import { readConfig } from '#libs/platform';
import { ordersSettings } from './config.js';
import { paypalEndpoints } from './payment/paypal/paypal.settings.js';

const needed = {
  DATABASE_URL: 'postgres://localhost/orders',
  REDIS_URL: 'redis://localhost',
  PUBLIC_URL: 'https://site.example/',
};

function endpointsOf(env: Record<string, string>) {
  const reading = readConfig(ordersSettings, { ...needed, ...env });
  if (!reading.ok) throw new Error(JSON.stringify(reading));
  return paypalEndpoints(reading.config);
}

describe('the provider’s addresses', () => {
  test.each([
    ['live', 'https://www.paypal.com/cgi-bin/webscr', 'https://ipnpb.paypal.com/cgi-bin/webscr'],
    [
      'sandbox',
      'https://www.sandbox.paypal.com/cgi-bin/webscr',
      'https://ipnpb.sandbox.paypal.com/cgi-bin/webscr',
    ],
  ])('in mode %s are PayPal’s, regardless of the simulator’s address', (mode, checkoutUrl, verifyUrl) => {
    const endpoints = endpointsOf({ PAYPAL_MODE: mode, PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:9' });
    expect(endpoints).toEqual({ checkoutUrl, verifyUrl, lookUpUrl: checkoutUrl });
  });

  test('are below the simulator’s address by default', () => {
    const simulatedUrl = 'http://127.0.0.1:9/cgi-bin/webscr';
    expect(endpointsOf({ PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:9/' })).toEqual({
      checkoutUrl: simulatedUrl,
      verifyUrl: simulatedUrl,
      lookUpUrl: simulatedUrl,
    });
  });
});

test.each([
  ['a live site without HTTPS', { PAYPAL_MODE: 'live', PUBLIC_URL: 'http://site.example' }, 'PUBLIC_URL'],
  ['a simulator without an address', {}, 'PAYPAL_SIMULATOR_URL'],
  ['an unknown PayPal mode', { PAYPAL_MODE: 'production' }, 'PAYPAL_MODE'],
])('%s is refused with an error that names the setting', (_, env, setting) => {
  const reading = readConfig(ordersSettings, { ...needed, ...env });
  expect(reading.ok).toBe(false);
  expect(JSON.stringify(reading)).toContain(setting);
});
