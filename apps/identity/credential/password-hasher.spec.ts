import { describe, expect, test } from '@jest/globals';
import { parseOptions } from '@node-rs/argon2';
import { createDummyHash, PasswordHasher } from './password-hasher.js';

const requester = '203.0.113.1';
const cheap = { memoryKiB: 64, passes: 1, concurrency: 2, queueLimit: 10 };

describe('a stored password', () => {
  test('is argon2id with the configured parameters and a salt of its own', async () => {
    const hasher = new PasswordHasher(cheap);
    const [first, second] = await Promise.all([
      hasher.hash('one password', requester),
      hasher.hash('one password', requester),
    ]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    expect(first).not.toBe(second);
    await expect(hasher.verify(first, 'one password', requester)).resolves.toBe(true);
    await expect(hasher.verify(first, 'One password', requester)).resolves.toBe(false);
  });

  test('matches in any Unicode normalization form', async () => {
    const hasher = new PasswordHasher(cheap);
    await expect(
      hasher.verify(await hasher.hash('cafe\u0301 noir', requester), 'caf\u00e9 noir', requester),
    ).resolves.toBe(true);
  });

  test('if missing, is replaced by a dummy hash that never matches, so that the check takes as long as with a password', async () => {
    const hasher = new PasswordHasher(cheap);
    await expect(hasher.verify(null, 'anything', requester)).resolves.toBe(false);
    expect(hasher.computationCount).toBe(1);
    expect(parseOptions(createDummyHash(cheap))).toEqual(
      parseOptions(await hasher.hash('anything', requester)),
    );
  });

  test('is outdated once the parameters change', async () => {
    const hash = await new PasswordHasher(cheap).hash('x', requester);
    expect(new PasswordHasher(cheap).isOutdated(hash)).toBe(false);
    expect(new PasswordHasher({ ...cheap, passes: 2 }).isOutdated(hash)).toBe(true);
    expect(new PasswordHasher({ ...cheap, memoryKiB: 128 }).isOutdated(hash)).toBe(true);
  });
});
