import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSettings, replicaCount, siteUrl } from './settings.js';

describe('the settings of the stack', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'seo-services-settings-'));
    writeFileSync(
      join(folder, '.env'),
      [
        '# A comment',
        'PORT=4000 # not 3000',
        'ADMIN_PASSWORD="with # and blank "',
        'SEED=',
        "DATA_DIR='kept'",
      ].join('\n'),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('are read from .env, where an empty value means not set', () => {
    const settings = readSettings(folder, {});
    expect(settings).toMatchObject({ PORT: 4000, ADMIN_PASSWORD: 'with # and blank ', SEED: 'demo' });
    expect(settings.dataDir).toBe(join(folder, 'kept'));
  });

  test('in the environment override those in .env', () => {
    const settings = readSettings(folder, { PORT: '0', REPLICAS_GATEWAY: '3' });
    expect(settings.PORT).toBe(0);
    expect(replicaCount(settings, 'gateway')).toBe(3);
    expect(replicaCount(settings, 'web')).toBe(1);
  });

  test('have no slash at the end of the public address, because paths are appended to it', () => {
    const settings = readSettings(folder, { PUBLIC_URL: 'https://www.example.com/' });
    expect(settings.PUBLIC_URL).toBe('https://www.example.com');
  });

  test('are all named in the error if they are invalid', () => {
    const bad = { PORT: '70000', REDIS_URL: 'localhost', ADMIN_EMAIL: 'admin', PAYPAL_MODE: 'free' };
    expect(() => readSettings(folder, bad)).toThrow(
      /PORT must be .*; ADMIN_EMAIL must be .*; PAYPAL_MODE must be .*; REDIS_URL must be /,
    );
  });
});

test.each([
  [undefined, 'http://localhost:3000'],
  ['0.0.0.0', 'http://localhost:3000'],
  ['::', 'http://localhost:3000'],
  ['127.0.0.1', 'http://localhost:3000'],
  ['::1', 'http://localhost:3000'],
  ['::0', 'http://localhost:3000'],
  ['0', 'http://localhost:3000'],
  ['127.0.0.2', 'http://127.0.0.2:3000'],
  // There is no URL for this address, because a URL cannot contain its zone (`%eth0`).
  ['fe80::1%eth0', 'http://localhost:3000'],
  ['192.168.1.20', 'http://192.168.1.20:3000'],
  ['fd00::20', 'http://[fd00::20]:3000'],
])('the address of a site that listens on %s is %s', (HOST, url) => {
  expect(siteUrl({ HOST }, 3000)).toBe(url);
});
