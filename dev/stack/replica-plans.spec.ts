import { describe, expect, test } from '@jest/globals';
import { planGoogleStandIn } from './google.js';
import { planPayPalSimulator } from './paypal.js';
import { sharedRedisUrls } from './redis-users.js';
import { planReplicas } from './replica-plans.js';
import { readSettings, type ReplySettings } from './settings.js';

const databases = {
  content: 'postgres://localhost/content',
  orders: 'postgres://localhost/orders',
  projects: 'postgres://localhost/projects',
  messaging: 'postgres://localhost/messaging',
  identity: 'postgres://localhost/identity',
};

const replySettings: ReplySettings = {
  address: 'reply@example.com',
  secret: 'the secret of replies by mail, at least 32 characters',
};

async function environments(env: Record<string, string>, replies: ReplySettings | null = replySettings) {
  const settings = readSettings('/nowhere', env);
  const simulator = await planPayPalSimulator('/dist', settings, 'http://localhost:3000');
  const google = await planGoogleStandIn('/dist', settings, 'http://localhost:3000');
  const plans = await planReplicas('/dist', {
    settings,
    port: 3000,
    publicUrl: 'http://localhost:3000',
    redisUrls: sharedRedisUrls('redis://localhost'),
    databases,
    admin: { email: 'admin@example.com', isNew: false },
    paypalUrl: simulator?.url ?? null,
    google: google ?? null,
    smtpUrl: 'smtp://127.0.0.1:2525',
    replies,
  });
  return { simulator, google, ...Object.fromEntries(plans.map((plan) => [plan.name, plan.env])) } as {
    simulator: typeof simulator;
    google: typeof google;
  } & Record<(typeof plans)[number]['name'], NodeJS.ProcessEnv>;
}

describe('the environment of a process', () => {
  test('names the PayPal simulator only for the processes that need it', async () => {
    const { simulator, orders, gateway, ...others } = await environments({});
    const expected = { PAYPAL_MODE: 'simulator', PAYPAL_SIMULATOR_URL: simulator!.url };
    expect(orders).toMatchObject(expected);
    expect(gateway).toMatchObject(expected);
    expect(JSON.stringify(others)).not.toContain(simulator!.url);
    expect(simulator!.env).toMatchObject({ PAYPAL_SIMULATOR_FILE: expect.stringMatching(/paypal\.json$/) });
  });

  test('contains the default SEED for orders', async () => {
    expect((await environments({})).orders.SEED).toBe('demo');
  });

  test.each(['sandbox', 'live'])('names no simulator in PayPal mode %s', async (mode) => {
    const { simulator, orders, gateway } = await environments({ PAYPAL_MODE: mode });
    expect(simulator).toBeUndefined();
    for (const env of [orders, gateway]) {
      expect(env.PAYPAL_MODE).toBe(mode);
      expect(env).not.toHaveProperty('PAYPAL_SIMULATOR_URL');
    }
  });

  test('contains PayPal’s PDT token only if the process uses it', async () => {
    const { simulator, orders, ...others } = await environments({ PAYPAL_PDT_TOKEN: 'identity token' });
    expect(simulator!.env.PAYPAL_PDT_TOKEN).toBe('identity token');
    expect(orders.PAYPAL_PDT_TOKEN).toBe('identity token');
    expect(JSON.stringify(others)).not.toContain('identity token');
  });

  test('contains the PayPal client secret only for orders and the simulator, and for the simulator also the webhook address', async () => {
    const restApp = { PAYPAL_CLIENT_ID: 'app', PAYPAL_CLIENT_SECRET: 'app secret', PAYPAL_WEBHOOK_ID: 'WH' };
    const { simulator, orders, ...others } = await environments(restApp);
    expect(orders).toMatchObject(restApp);
    expect(simulator!.env).toMatchObject({
      ...restApp,
      PAYPAL_SIMULATOR_URL: simulator!.url,
      PAYPAL_WEBHOOK_URL: 'http://localhost:3000/paypal/webhook',
    });
    expect(JSON.stringify(others)).not.toContain('app secret');
  });

  test('contains the INBOUND_MAIL_ADDRESS of the reply settings, and none without them', async () => {
    const env = { SMTP_URL: 'smtp://mail.example', INBOUND_MAIL_ADDRESS: 'reply@mail.example' };
    expect((await environments(env)).projects.INBOUND_MAIL_ADDRESS).toBe(replySettings.address);
    expect((await environments(env, null)).projects).not.toHaveProperty('INBOUND_MAIL_ADDRESS');
  });

  test('contains the Google stand-in’s client secret only for identity, and its client id also for web', async () => {
    const { google, identity, ...others } = await environments({});
    expect(identity).toMatchObject({
      GOOGLE_ISSUER: google!.url,
      GOOGLE_CLIENT_ID: google!.client.id,
      GOOGLE_CLIENT_SECRET: google!.client.secret,
    });
    expect(others.web.GOOGLE_CLIENT_ID).toBe(google!.client.id);
    expect(JSON.stringify(others)).not.toContain(google!.client.secret);
  });

  test('contains the client of the real Google if one is configured, and then names no stand-in', async () => {
    const real = { GOOGLE_CLIENT_ID: 'ours', GOOGLE_CLIENT_SECRET: 'our secret' };
    const { google, identity, ...others } = await environments(real);
    expect(google).toBeUndefined();
    expect(identity).toMatchObject(real);
    expect(identity).not.toHaveProperty('GOOGLE_ISSUER');
    expect(others.web.GOOGLE_CLIENT_ID).toBe('ours');
    expect(JSON.stringify(others)).not.toContain('our secret');
  });
});

test('a site with a public address does not use the stand-in for Google', async () => {
  const settings = readSettings('/nowhere', { PUBLIC_URL: 'https://www.example.com' });
  expect(await planGoogleStandIn('/dist', settings, 'https://www.example.com')).toBeUndefined();
});
