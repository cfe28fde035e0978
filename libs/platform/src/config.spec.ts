import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { readConfig } from './config.js';
import { serviceSettings, setting } from './settings.js';

const good = { DATABASE_URL: 'postgres://db/orders', REDIS_URL: 'redis://redis:6379' };

describe('settings', () => {
  test('missing and empty variables get the defaults', () => {
    const reading = readConfig(z.object(serviceSettings), { ...good, LOG_LEVEL: '', HEALTH_PORT: '' });
    expect(reading).toEqual({
      ok: true,
      config: {
        ...good,
        HEALTH_HOST: '127.0.0.1',
        HEALTH_PORT: 0,
        LOG_LEVEL: 'info',
        OTEL_TRACES_SAMPLER_ARG: 1,
        DATABASE_POOL_SIZE: 10,
        DATABASE_MIGRATIONS: 'run',
      },
    });
  });

  test('all invalid variables are reported together, by name', () => {
    const schema = z.object({ ...serviceSettings, SEED: setting.choice(['demo', 'none']) });
    expect(readConfig(schema, { HEALTH_PORT: 'x', DATABASE_URL: 'nonsense', SEED: 'some' })).toEqual({
      ok: false,
      faults: [
        'HEALTH_PORT: must be a whole number from 0 to 65535',
        'REDIS_URL: is missing',
        'DATABASE_URL: must be an address like postgres://host',
        'SEED: must be one of demo, none',
      ],
    });
  });

  test.each([
    ['port', setting.port(), '65535', 65_535],
    ['integer', setting.integer(-5, 5), '-5', -5],
    ['flag', setting.flag(), 'false', false],
    ['ratio', setting.ratio(), '0.25', 0.25],
    ['list', setting.list(), ' a, ,b ', ['a', 'b']],
    ['url', setting.url(['https', 'http']), 'http://x:1/y', 'http://x:1/y'],
    ['httpUrl', setting.httpUrl(), 'https://x/y//', 'https://x/y'],
  ])('%s reads valid text', (_, schema, text, value) => {
    expect(schema.parse(text)).toEqual(value);
  });

  test.each([
    ['port', setting.port(), ['65536', '-1', '1.5', '1e3', ' 80', '0x50']],
    ['flag', setting.flag(), ['yes', 'TRUE', '1']],
    ['ratio', setting.ratio(), ['1.1', '-0.1', '.', '1e-1', 'all']],
    ['url', setting.url(['http']), ['https://x', 'x', 'http:', '//x', 'http:/x y']],
  ] as const)('%s refuses invalid text', (_, schema, texts) => {
    for (const text of texts) expect([text, schema.safeParse(text).success]).toEqual([text, false]);
  });
});
