import { describe, expect, test } from '@jest/globals';
import { fingerprintOf } from './context.js';

const contract = { pattern: 'identity.register' as const, secret: ['password'] };

describe('fingerprint', () => {
  test('does not depend on the order of keys, at any depth', () => {
    expect(fingerprintOf(contract, { a: { x: 1, y: [{ p: 1, q: 2 }] }, b: 2 })).toBe(
      fingerprintOf(contract, { b: 2, a: { y: [{ q: 2, p: 1 }], x: 1 } }),
    );
  });

  test('depends on values, on the order of lists and on the pattern', () => {
    const prints = [
      fingerprintOf(contract, { a: [1, 2] }),
      fingerprintOf(contract, { a: [2, 1] }),
      fingerprintOf(contract, { a: ['1', 2] }),
      fingerprintOf({ ...contract, pattern: 'identity.login' }, { a: [1, 2] }),
    ];
    expect(new Set(prints).size).toBe(4);
  });

  test('does not depend on secrets', () => {
    expect(fingerprintOf(contract, { email: 'a', password: 'one' })).toBe(
      fingerprintOf(contract, { email: 'a', password: 'two' }),
    );
  });
});
