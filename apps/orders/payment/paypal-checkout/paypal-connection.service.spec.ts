import 'reflect-metadata';
import { afterEach, expect, jest, test } from '@jest/globals';
import { PaypalConnectionService } from './paypal-connection.service.js';

type Dependencies = ConstructorParameters<typeof PaypalConnectionService>;

afterEach(() => {
  jest.restoreAllMocks();
});

/** The sandbox refuses the credentials, and the live environment gives `liveAnswer`. */
async function checkRefusedCredentials(liveAnswer: () => Promise<Response>) {
  const fetch = jest.spyOn(globalThis, 'fetch').mockImplementation(liveAnswer);
  const config = { PAYPAL_MODE: 'sandbox', PUBLIC_URL: 'https://shop.example', PAYPAL_TIMEOUT_MS: 2_000 };
  const app = { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret', PAYPAL_WEBHOOK_ID: 'webhook' };
  const service = new PaypalConnectionService(
    // The configuration, the API client, two unused dependencies, the notifications, the clock, and the logger, which is unused.
    ...([
      ...[{ ...config, ...app }, { acceptsCredentials: () => Promise.resolve(false) }, {}, {}],
      ...[{ findLastNotificationAt: () => Promise.resolve(null) }, { now: () => new Date() }, {}],
    ] as unknown as Dependencies),
  );
  const { checks } = await service.getConnection();
  expect(fetch.mock.calls.map(([url]) => String(url))).toEqual(['https://api-m.paypal.com/v1/oauth2/token']);
  return checks.find(({ check }) => check === 'credentials');
}

const json = (status: number, body: object) =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));

test.each([
  [
    'accepts them',
    'These credentials are for live payments, but PAYPAL_MODE is sandbox.',
    () => json(200, { access_token: 'x', expires_in: 60 }),
  ],
  ['refuses them, too', 'PayPal doesn’t accept', () => json(401, { error: 'invalid_client' })],
  ['does not answer', 'PayPal doesn’t accept', () => Promise.reject(new Error('no connection'))],
])(
  'if the live environment %s, the problem with refused credentials is “%s”',
  async (_what, sentence, liveAnswer) => {
    expect(await checkRefusedCredentials(liveAnswer)).toMatchObject({
      state: 'problem',
      sentence: expect.stringContaining(sentence),
    });
  },
);
