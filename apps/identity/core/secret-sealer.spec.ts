import { describe, expect, test } from '@jest/globals';
import { SecretSealer } from './secret-sealer.js';

const secret = 'a secret of more than thirty-two characters';

describe('a private key', () => {
  test('is stored as it is without a secret, and unreadable with one', () => {
    expect(new SecretSealer(undefined).seal('PEM')).toBe('PEM');
    const sealed = new SecretSealer(secret).seal('-----BEGIN PRIVATE KEY-----');
    expect(sealed).not.toContain('BEGIN');
    expect(new SecretSealer(secret).open(sealed)).toBe('-----BEGIN PRIVATE KEY-----');
  });

  test('stored before the secret was configured still opens', () => {
    expect(new SecretSealer(secret).open('PEM')).toBe('PEM');
  });

  test('does not open with another secret or with none, and says which setting is to blame', () => {
    const sealed = new SecretSealer(secret).seal('PEM');
    expect(() => new SecretSealer(`${secret}!`).open(sealed)).toThrow('KEY_ENCRYPTION_SECRET');
    expect(() => new SecretSealer(undefined).open(sealed)).toThrow('KEY_ENCRYPTION_SECRET');
  });
});
