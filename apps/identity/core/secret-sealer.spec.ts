import { describe, expect, test } from '@jest/globals';
import { SecretSealer } from './secret-sealer.js';

const secret = 'a secret of more than thirty-two characters';

describe('a private key', () => {
  test('is stored encrypted if a secret is configured, and unencrypted otherwise', () => {
    expect(new SecretSealer(undefined).seal('signingKey', 'PEM')).toBe('PEM');
    const sealed = new SecretSealer(secret).seal('signingKey', '-----BEGIN PRIVATE KEY-----');
    expect(sealed).not.toContain('BEGIN');
    expect(new SecretSealer(secret).open('signingKey', sealed)).toBe('-----BEGIN PRIVATE KEY-----');
  });

  test('stored before the secret was configured can still be opened', () => {
    expect(new SecretSealer(secret).open('signingKey', 'PEM')).toBe('PEM');
  });

  test('cannot be opened with another secret, with none, or for another purpose, and the error names the setting', () => {
    const sealed = new SecretSealer(secret).seal('signingKey', 'PEM');
    const open = (configuredSecret: string | undefined, purpose: 'signingKey' | 'totp' = 'signingKey') =>
      new SecretSealer(configuredSecret).open(purpose, sealed);
    expect(() => open(`${secret}!`)).toThrow('KEY_ENCRYPTION_SECRET');
    expect(() => open(undefined)).toThrow('KEY_ENCRYPTION_SECRET');
    expect(() => open(secret, 'totp')).toThrow('KEY_ENCRYPTION_SECRET');
  });
});
