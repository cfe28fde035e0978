import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DomainError } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { PasswordHasher } from '../credential/password-hasher.js';
import { chrome, IdentityHarness } from './identity.harness.js';

let identity: IdentityHarness;
const elsewhere = { ...chrome, address: '198.51.100.7' };

beforeAll(async () => {
  identity = await IdentityHarness.start();
});
afterAll(() => identity.stop());

async function signInError(email: string, password = 'wrong guess'): Promise<DomainError | undefined> {
  try {
    await identity.login(email, password);
    return undefined;
  } catch (error) {
    return error as DomainError;
  }
}

async function guesses(email: string, count: number): Promise<string[]> {
  const codes: string[] = [];
  for (let n = 0; n < count; n += 1) codes.push((await signInError(email))?.code ?? 'ok');
  return codes;
}

const fiveWrong = Array.from({ length: 5 }, () => 'INVALID_CREDENTIALS');

describe('guessing a password', () => {
  test('is free five times, and then delayed longer and longer, up to 15 minutes', async () => {
    await identity.register('victim@example.com');
    await expect(guesses('victim@example.com', 5)).resolves.toEqual(fiveWrong);
    const waits: number[] = [];
    for (let n = 0; n < 13; n += 1) {
      const refused = await signInError('victim@example.com');
      expect(refused?.code).toBe('RATE_LIMITED');
      const wait = refused?.details.retryAfterSeconds ?? 0;
      waits.push(wait);
      identity.clock.advance({ seconds: wait });
      expect((await signInError('victim@example.com'))?.code).toBe('INVALID_CREDENTIALS');
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  test('is free five times, even if attempts overlap or a replica’s clock is behind', async () => {
    await guesses('overlapping@example.com', 1);
    // The clock goes back, as if the other attempts had begun before the first was counted.
    identity.clock.advance({ seconds: -1 });
    await expect(guesses('overlapping@example.com', 4)).resolves.toEqual(fiveWrong.slice(1));
    identity.clock.advance({ seconds: 1 });
  });

  test('does not lock the owner out, who can sign in from elsewhere immediately and from the same network after the delay', async () => {
    const { account } = await identity.register('owner@example.com');
    await guesses('owner@example.com', 6);
    await expect(signInError('owner@example.com', 'a fine password')).resolves.toMatchObject({
      code: 'RATE_LIMITED',
    });
    const login = identity.login('owner@example.com', undefined, { client: elsewhere });
    await expect(login).resolves.toMatchObject({ account });
    identity.clock.advance({ seconds: 2 });
    await expect(signInError('owner@example.com', 'a fine password')).resolves.toBeUndefined();
    await expect(guesses('owner@example.com', 5)).resolves.toEqual(fiveWrong);
  });

  test.each([
    ['the addresses of one IPv6 network', (n: number) => `2001:db8:1:2::${n + 1}`],
    ['an IPv4 address and its IPv6 notation', (n: number) => (n % 2 ? '203.0.113.9' : '::ffff:203.0.113.9')],
  ])('is counted together for %s', async (name, addressOf) => {
    const email = `${name.replaceAll(' ', '-')}@example.com`;
    const codes: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const client = { ...chrome, address: addressOf(n) };
      codes.push(
        await identity.login(email, 'wrong guess', { client }).then(
          () => 'ok',
          ({ code }: DomainError) => code,
        ),
      );
    }
    expect(codes).toEqual([...fiveWrong, 'RATE_LIMITED']);
  });

  test('of an unknown address is slowed down equally, in any letter case', async () => {
    await expect(guesses('nobody@example.com', 4)).resolves.toEqual(fiveWrong.slice(1));
    await expect(guesses('NOBODY@example.com', 2)).resolves.toEqual(['INVALID_CREDENTIALS', 'RATE_LIMITED']);
  });

  test('of one account does not affect other accounts from the same network', async () => {
    await identity.register('neighbour@example.com');
    await guesses('attacked@example.com', 6);
    await expect(signInError('neighbour@example.com', 'a fine password')).resolves.toBeUndefined();
  });

  test('in parallel, on two replicas, allows at most one additional guess', async () => {
    const service = await IdentityHarness.prepare({ HASHING_CONCURRENCY: '1' });
    try {
      await Promise.all([service.addReplica(), service.addReplica()]);
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, () =>
          service.login('parallel@example.com', 'wrong guess').catch((error: DomainError) => error.code),
        ),
      );
      const tried = outcomes.filter((outcome) => outcome === 'INVALID_CREDENTIALS').length;
      // Each replica verifies one password at a time, so both may begin a guess before the fifth failure is counted.
      expect(tried).toBeGreaterThanOrEqual(5);
      expect(tried).toBeLessThanOrEqual(6);
    } finally {
      await service.stop();
    }
  });

  test('is not suspected when a person signs in twenty times at the same time', async () => {
    await identity.register('everywhere@example.com');
    const signIns = Array.from({ length: 20 }, () => identity.login('everywhere@example.com'));
    await expect(Promise.all(signIns)).resolves.toHaveLength(20);
  });

  test('is forgotten after a day', async () => {
    await guesses('yesterday@example.com', 6);
    identity.clock.advance({ days: 1 });
    await expect(guesses('yesterday@example.com', 5)).resolves.toEqual(fiveWrong);
  });
});

describe('a flood of sign-ins', () => {
  test('is refused when the queue is full, without being counted as guesses, and other calls are still answered', async () => {
    const service = await IdentityHarness.start({
      HASHING_CONCURRENCY: '1',
      HASHING_QUEUE_LIMIT: '2',
      ARGON2_MEMORY_KIB: '19456',
    });
    try {
      const somebody = await service.register('flooded@example.com');
      const flood = Array.from({ length: 30 }, (_, n) =>
        service.login(`flood${n}@example.com`, 'wrong guess').catch((error: DomainError) => error),
      );
      await expect(service.findAccountOfSession(somebody.sessionId)).resolves.toEqual(somebody.account);
      const outcomes = (await Promise.all(flood)) as DomainError[];
      const refused = outcomes.filter(({ code }) => code === 'OVERLOADED');
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]?.details.retryAfterSeconds).toBeGreaterThan(0);
      const hasher = service.replicas[0]!.app.get(PasswordHasher, { strict: false });
      // 2: for the first admin and the registered account.
      expect(hasher.computationCount).toBeLessThanOrEqual(2 + outcomes.length - refused.length);
      const counted = await service.sql<{ failures: number }>(`SELECT failures FROM sign_in_attempts`);
      expect(counted.reduce((sum, { failures }) => sum + failures, 0)).toBe(outcomes.length - refused.length);
    } finally {
      await service.stop();
    }
  });

  test('from one network keeps nobody else out', async () => {
    const service = await IdentityHarness.start({ HASHING_CONCURRENCY: '1', HASHING_QUEUE_LIMIT: '4' });
    try {
      await service.register('customer@example.com');
      const hasher = service.replicas[0]!.app.get(PasswordHasher, { strict: false });
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      // Computes nothing until it is released, so the others have to wait.
      const blocker = hasher.verify(null, 'anything', 'the test', {
        before: () => released,
        after: () => Promise.resolve(),
      });
      let refused = 0;
      const flood = Array.from({ length: 20 }, (_, n) =>
        service.login(`flood${n}@example.com`, 'wrong guess').catch(({ code }: DomainError) => {
          if (code === 'OVERLOADED') refused += 1;
        }),
      );
      // Four of the twenty wait. The newcomer from another network displaces one of them.
      await eventually(() => expect(refused).toBe(16));
      const signedIn = service.login('customer@example.com', undefined, { client: elsewhere });
      await eventually(() => expect(refused).toBe(17));
      release();
      await expect(signedIn).resolves.toMatchObject({ account: { email: 'customer@example.com' } });
      await Promise.all([blocker, ...flood]);
    } finally {
      await service.stop();
    }
  });
});
