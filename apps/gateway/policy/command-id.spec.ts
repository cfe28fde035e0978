import { describe, expect, test } from '@jest/globals';
import { type Actor, visitor } from '#libs/contracts';
import { operations } from '#libs/operations';
import { commandIdOf } from './command-id.js';

const customer: Actor = {
  role: 'customer',
  accountId: '1',
  email: 'a@example.com',
  emailVerified: true,
  sessionId: 's',
};
const [addStep, addLogo] = ['/add-step', '/add-logo'].map((path) =>
  operations.find((one) => one.path === path)!,
);

describe('the command id of an Idempotency-Key', () => {
  const id = (key = 'key', operation = addStep!, actor: Actor = customer, address = '192.0.2.1') =>
    commandIdOf(key, operation, actor, address);

  test('is a UUID and always the same', () => {
    expect(id()).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(id()).toBe(id());
  });

  test('differs between keys, operations, accounts, and visitors’ networks', () => {
    const ids = [
      id(),
      id('other'),
      id('key', addLogo),
      id('key', addStep, { ...customer, accountId: '2' }),
      id('key', addStep, visitor),
      id('key', addStep, visitor, '192.0.2.2'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('depends on the account, not on its session or its client network', () => {
    expect(id('key', addStep, { ...customer, sessionId: 't' }, '192.0.2.9')).toBe(id());
  });

  test.each(['', 'with blank', 'é', 'x'.repeat(256), 'line\nbreak'])(
    'cannot be made from the invalid key %j',
    (key) => {
      expect(() => id(key)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    },
  );
});
