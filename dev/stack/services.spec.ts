import { describe, expect, test } from '@jest/globals';
import { planSimulator } from './paypal.js';
import { sameRedisFor } from './redis-users.js';
import { planReplicas } from './services.js';
import { readSettings } from './settings.js';

const databases = {
  content: 'postgres://localhost/content',
  orders: 'postgres://localhost/orders',
  messaging: 'postgres://localhost/messaging',
  identity: 'postgres://localhost/identity',
};

async function environments(env: Record<string, string>) {
  const settings = readSettings('/nowhere', env);
  const simulator = await planSimulator('/dist', settings);
  const plans = await planReplicas('/dist', {
    settings,
    port: 3000,
    publicUrl: 'http://localhost:3000',
    redisUrls: sameRedisFor('redis://localhost'),
    databases,
    admin: { email: 'admin@example.com', isNew: false },
    paypalUrl: simulator?.url ?? null,
  });
  return { simulator, ...Object.fromEntries(plans.map((plan) => [plan.name, plan.env])) } as {
    simulator: typeof simulator;
  } & Record<(typeof plans)[number]['name'], NodeJS.ProcessEnv>;
}

describe('the environment of a process', () => {
  test('says where people pay, to those who need it', async () => {
    const { simulator, orders, gateway } = await environments({});
    const where = { PAYPAL_MODE: 'simulator', PAYPAL_SIMULATOR_URL: simulator!.url };
    expect(orders).toMatchObject(where);
    expect(gateway).toMatchObject(where);
    expect(orders.SEED).toBe('demo');
    expect(simulator!.env).toMatchObject({ PAYPAL_SIMULATOR_FILE: expect.stringMatching(/paypal\.json$/) });
  });

  test.each(['sandbox', 'live'])('has no simulator in it when people pay at %s', async (mode) => {
    const { simulator, orders, gateway } = await environments({ PAYPAL_MODE: mode });
    expect(simulator).toBeUndefined();
    for (const env of [orders, gateway]) {
      expect(env.PAYPAL_MODE).toBe(mode);
      expect(env).not.toHaveProperty('PAYPAL_SIMULATOR_URL');
    }
  });

  test('has a secret only where it is used', async () => {
    const { simulator, orders, ...others } = await environments({ PAYPAL_PDT_TOKEN: 'secret', HOST: '::' });
    expect(simulator!.env.PAYPAL_PDT_TOKEN).toBe('secret');
    expect(orders.PAYPAL_PDT_TOKEN).toBe('secret');
    expect(JSON.stringify(others)).not.toContain('secret');
  });
});
