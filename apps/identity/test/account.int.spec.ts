import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Actor, customerContract, identityContract } from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { PasswordHasher } from '../credential/password-hasher.js';
import { chrome, IdentityHarness } from './identity.harness.js';

let identity: IdentityHarness;
let hasher: PasswordHasher;

beforeAll(async () => {
  identity = await IdentityHarness.start();
  hasher = identity.replicas[0]!.app.get(PasswordHasher, { strict: false });
});
afterAll(() => identity.stop());

test('an admin sees the state of a customer’s account; a customer is refused', async () => {
  const { account } = await identity.register('Seen@Example.com');
  const see = (id: string, actor: Actor) =>
    identity.client.call(customerContract.getCustomerAccount, { id }, { actor });
  const seen = await see(account.id, actors.admin);
  expect(seen).toEqual({
    email: 'Seen@Example.com',
    emailVerified: false,
    role: 'Customer',
    registeredAt: expect.stringMatching(/Z$/),
    lastSeenAt: expect.stringMatching(/Z$/),
  });
  await identity.sql('DELETE FROM sessions WHERE account_id = $1', [account.id]);
  expect(await see(account.id, actors.admin)).toEqual({ ...seen, lastSeenAt: null });
  await expect(see(account.id, actors.customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  for (const id of [randomUUID(), 'x'])
    await expect(see(id, actors.admin)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('registering', () => {
  test('creates an unverified customer and signs them in', async () => {
    const signedIn = await identity.register('Ada@Example.com');
    expect(signedIn.account).toEqual({
      id: expect.any(String),
      email: 'Ada@Example.com',
      emailVerified: false,
      role: 'Customer',
      name: null,
    });
    await expect(identity.findAccountOfSession(signedIn.sessionId)).resolves.toEqual(signedIn.account);
    await expect(identity.login('ada@example.COM')).resolves.toMatchObject({ account: signedIn.account });
  });

  test('a taken address is refused, in whatever letter case', async () => {
    await identity.register('taken@example.com');
    await expect(identity.register('TAKEN@example.com')).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
      details: {
        fields: [{ field: 'email', message: 'An account with this e-mail address already exists.' }],
      },
    });
  });

  test('ten times in parallel with one address in different letter case creates one account', async () => {
    const address = 'tenfold@example.com';
    const spelling = (n: number) =>
      [...address].map((letter, at) => ((n >> (at % 4)) & 1 ? letter.toUpperCase() : letter)).join('');
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => identity.register(spelling(n))),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'EMAIL_TAKEN' });
    }
    const rows = await identity.sql(`SELECT 1 FROM accounts WHERE email_normalized = $1`, [address]);
    expect(rows).toHaveLength(1);
  });

  test('with a short, common or malformed password stores nothing', async () => {
    await expect(identity.register('weak@example.com', 'short')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field: 'password', message: 'Minimum 6 Characters' }] },
    });
    await expect(identity.register('weak@example.com', 'iloveyou')).rejects.toMatchObject({
      code: 'WEAK_PASSWORD',
    });
    await expect(identity.register('weak@example.com', 'lone \ud800 surrogate')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(identity.sql(`SELECT 1 FROM accounts WHERE email LIKE 'weak%'`)).resolves.toEqual([]);
  });

  test('a repeated request gets an equivalent answer with working tokens, and no account, session, link or message is stored twice', async () => {
    const requestId = randomUUID();
    const first = await identity.register('again@example.com', 'a fine password', requestId);
    const stored = () =>
      identity.sql(
        `SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM sessions) AS sessions,
                (SELECT count(*) FROM account_links) AS links, (SELECT count(*) FROM outbox_messages) AS messages`,
      );
    const before = await stored();
    const second = await identity.register('again@example.com', 'a fine password', requestId);
    expect(await stored()).toEqual(before);
    expect(second.sessionId).toBe(first.sessionId);
    expect(second.account).toEqual(first.account);
    await expect(identity.refresh(second.refreshToken)).resolves.toMatchObject({
      sessionId: first.sessionId,
    });
  });

  test('a repeated request with another password or address gets no tokens', async () => {
    const requestId = randomUUID();
    await identity.register('mine@example.com', 'a fine password', requestId);
    await expect(identity.register('mine@example.com', 'a wrong guess', requestId)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    await expect(identity.register('yours@example.com', 'a fine password', requestId)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('a user agent with characters that a text column cannot hold is accepted, and stored without them', async () => {
    const { sessionId } = await identity.client.call(
      identityContract.register,
      {
        credentials: { email: 'odd@example.com', password: 'a fine password' },
        client: { ...chrome, userAgent: `odd\0\ud800${'x'.repeat(500)}` },
      },
      { actor: { role: 'visitor' } },
    );
    const [row] = await identity.sql<{ user_agent: string }>(
      `SELECT user_agent FROM sessions WHERE id = $1`,
      [sessionId],
    );
    expect(row?.user_agent).toMatch(/^odd\ufffdx{300,}$/);
  });
});

describe('signing in', () => {
  test('an unknown address and a wrong password get the same answer, after the same number of hash computations', async () => {
    await identity.register('known@example.com');
    const attempt = async (email: string) => {
      const before = hasher.computationCount;
      const error: unknown = await identity
        .login(email, 'not the password')
        .catch((reason: unknown) => reason);
      return { error, work: hasher.computationCount - before };
    };
    const wrong = await attempt('known@example.com');
    const unknown = await attempt('unknown@example.com');
    expect(wrong.error).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(unknown).toEqual(wrong);
    expect(wrong.work).toBe(1);
  });

  test('an account without a password is no different from an unknown one', async () => {
    const { account } = await identity.register('passwordless@example.com');
    await identity.sql(`DELETE FROM credentials WHERE account_id = $1`, [account.id]);
    const before = hasher.computationCount;
    await expect(identity.login('passwordless@example.com')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    expect(hasher.computationCount - before).toBe(1);
  });

  test('a password matches in any Unicode normalization form', async () => {
    const { account } = await identity.register('unicode@example.com', 'cafe\u0301 cre\u0300me');
    const login = identity.login('unicode@example.com', 'caf\u00e9 cr\u00e8me');
    await expect(login).resolves.toMatchObject({ account });
  });

  test('a repeated request starts one session only', async () => {
    const { account } = await identity.register('once@example.com');
    const requestId = randomUUID();
    const first = await identity.login('once@example.com', undefined, { requestId });
    const second = await identity.login('once@example.com', undefined, { requestId });
    expect(second.sessionId).toBe(first.sessionId);
    const sessions = await identity.sql(`SELECT 1 FROM sessions WHERE account_id = $1`, [account.id]);
    // One from the registration, and one for both requests.
    expect(sessions).toHaveLength(2);
  });

  test('with a password that is being replaced at the same time starts no session', async () => {
    const { account } = await identity.register('replaced@example.com');
    const tx = identity.dataSource.createQueryRunner();
    await tx.startTransaction();
    await tx.query(`UPDATE credentials SET changed_at = changed_at + interval '1 s' WHERE account_id = $1`, [
      account.id,
    ]);
    const signIn = identity.login('replaced@example.com').catch((error: unknown) => error);
    await eventually(async () => {
      const waiting = await identity.sql(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR SHARE%'
         AND datname = current_database()`,
      );
      expect(waiting).toHaveLength(1);
    });
    await tx.commitTransaction();
    await tx.release();
    await expect(signIn).resolves.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const sessions = await identity.sql(`SELECT 1 FROM sessions WHERE account_id = $1`, [account.id]);
    expect(sessions).toHaveLength(1);
  });

  test('rehashes the password once after the hashing parameters were raised', async () => {
    const { account } = await identity.register('rehash@example.com');
    const replica = await identity.addReplica({ ARGON2_PASSES: '3' });
    await identity.replicas[0]!.close();
    const stored = async () =>
      (
        await identity.sql<{ password_hash: string }>(
          `SELECT password_hash FROM credentials WHERE account_id = $1`,
          [account.id],
        )
      )[0]?.password_hash;
    await expect(stored()).resolves.toContain('t=1,');
    await identity.login('rehash@example.com');
    const renewed = await stored();
    expect(renewed).toContain('t=3,');
    await identity.login('rehash@example.com');
    await expect(stored()).resolves.toBe(renewed);
    // The next tests use the harness's hashing parameters again.
    await identity.addReplica();
    await replica.close();
  });

  test('neither the password nor a session’s tokens are stored in plain text', async () => {
    const { account, refreshToken, accessToken } = await identity.register('secret@example.com');
    const dump = await identity.sql<{ line: string }>(
      `SELECT i::text AS line FROM inbox_entries i UNION ALL SELECT r::text FROM refresh_tokens r
       UNION ALL SELECT s::text FROM sessions s UNION ALL SELECT o::text FROM outbox_messages o
       UNION ALL SELECT c::text FROM credentials c WHERE c.account_id = $1`,
      [account.id],
    );
    const text = dump.map(({ line }) => line).join('\n');
    expect(text).toContain(account.id);
    for (const secret of [refreshToken, accessToken, 'a fine password']) expect(text).not.toContain(secret);
  });
});
