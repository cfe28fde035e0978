import { expect, test } from '@jest/globals';
import { readConfig } from '#libs/platform';
import { gatewaySettings } from './config.js';

const needed = { REDIS_URL: 'redis://127.0.0.1:6379', WEB_URL: 'http://127.0.0.1:3100/' };

test('`REDIS_URL` and `WEB_URL` are sufficient', () => {
  const reading = readConfig(gatewaySettings, needed);
  expect(reading).toMatchObject({
    ok: true,
    config: { PORT: 3000, WEB_URL: 'http://127.0.0.1:3100', CORS_ORIGINS: [], TRUSTED_PROXIES: [] },
  });
});

test('lists, limits and addresses are parsed', () => {
  const reading = readConfig(gatewaySettings, {
    ...needed,
    PUBLIC_URL: 'https://site.example/',
    CORS_ORIGINS: 'https://a.example, http://localhost:5173',
    TRUSTED_PROXIES: '10.0.0.0/8,::1, 192.0.2.1',
    LIMIT_SIGN_IN: '5/60',
  });
  expect(reading).toMatchObject({
    config: {
      PUBLIC_URL: 'https://site.example',
      CORS_ORIGINS: ['https://a.example', 'http://localhost:5173'],
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1', '192.0.2.1'],
      LIMIT_SIGN_IN: { count: 5, windowSeconds: 60 },
    },
  });
});

test.each([
  ['PORT', '70000'],
  ['PUBLIC_URL', 'site.example'],
  ['WEB_URL', 'ftp://web'],
  ['CORS_ORIGINS', 'https://a.example/path'],
  ['CORS_ORIGINS', 'a.example'],
  ['TRUSTED_PROXIES', 'proxy.internal'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['BODY_LIMIT_BYTES', 'many'],
  ['LIMIT_SIGN_IN', '0/60'],
  ['LIMIT_SIGN_UP', 'few'],
  ['LIMIT_FORMS', '300'],
  ['LIMIT_ORDERS', '600 per minute'],
  ['MAP_EMBED_URL', 'javascript:alert(1)'],
  ['IMAGES_S3_URL', 's3://bucket'],
  ['IMAGE_LIMIT_BYTES', '20 MB'],
  ['IMAGE_LIMIT_MEGAPIXELS', '0'],
])('%s=%s is refused with a message that names the setting', (name, value) => {
  const reading = readConfig(gatewaySettings, { ...needed, [name]: value });
  expect(reading).toMatchObject({ ok: false, faults: [expect.stringMatching(`^${name}: `)] });
});

test('a bucket without its keys is refused with messages that name them', () => {
  const reading = readConfig(gatewaySettings, { ...needed, IMAGES_S3_URL: 'https://s3.example/bucket' });
  expect(reading).toMatchObject({
    ok: false,
    faults: [
      'IMAGES_S3_ACCESS_KEY_ID: is required with IMAGES_S3_URL',
      'IMAGES_S3_SECRET_ACCESS_KEY: is required with IMAGES_S3_URL',
    ],
  });
});
