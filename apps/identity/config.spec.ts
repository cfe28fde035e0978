import { describe, expect, test } from '@jest/globals';
import { readConfig } from '#libs/platform';
import { identitySettings } from './config.js';

const needed = {
  DATABASE_URL: 'postgres://identity@localhost/identity',
  REDIS_URL: 'redis://localhost',
  PUBLIC_URL: 'https://site.example/',
};

describe('the settings', () => {
  test('require only two connections and the public address (without its slash), and default to the recommended hashing parameters', () => {
    const reading = readConfig(identitySettings, needed);
    expect(reading).toMatchObject({
      ok: true,
      config: {
        PUBLIC_URL: 'https://site.example',
        PASSWORD_MIN_LENGTH: 6,
        ARGON2_MEMORY_KIB: 19_456,
        ARGON2_PASSES: 2,
      },
    });
  });

  test.each([
    ['https://id.example', true],
    ['http://127.0.0.1:4020', true],
    ['http://google.localhost:4020', true],
    ['http://id.example', false],
    ['http://google.localhost.example', false],
    ['http://evil-localhost', false],
  ])('with the issuer %s are valid: %s', (issuer, expected) => {
    expect(readConfig(identitySettings, { ...needed, GOOGLE_ISSUER: issuer }).ok).toBe(expected);
  });

  test('are refused with one message for each bad value', () => {
    const reading = readConfig(identitySettings, {
      ...needed,
      PUBLIC_URL: 'site.example',
      ADMIN_EMAIL: 'nobody',
      PASSWORD_MIN_LENGTH: '3',
      KEY_ENCRYPTION_SECRET: 'short',
      ARGON2_PASSES: 'two',
    });
    expect(reading).toEqual({
      ok: false,
      faults: [
        'PUBLIC_URL: must be an address like http://host',
        'ADMIN_EMAIL: must be an e-mail address',
        'PASSWORD_MIN_LENGTH: must be a whole number from 6 to 128',
        'KEY_ENCRYPTION_SECRET: must have at least 32 characters',
        'ARGON2_PASSES: must be a whole number from 1 to 100',
      ],
    });
  });
});
