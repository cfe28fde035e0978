import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader, jwtVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { DataSource } from 'typeorm';
import {
  accessTokenClaims,
  accessTokens,
  accountContract,
  identityContract,
  type SignedIn,
  visitor,
} from '#libs/contracts';
import { eventually } from '#libs/testing';
import { RetentionWorker } from '../retention/retention.worker.js';
import { actorOf, IdentityHarness } from './identity.harness.js';

let identity: IdentityHarness;
let signedIn: SignedIn;
let personCount = 0;

beforeAll(async () => {
  identity = await IdentityHarness.start();
});
afterAll(() => identity.stop());
beforeEach(async () => {
  signedIn = await identity.register(`person${(personCount += 1)}@example.com`);
});

const asVisitor = { actor: visitor };
const ended = { code: 'SESSION_ENDED' };

function logout(target: { refreshToken?: string; sessionId?: string }): Promise<{ ended: boolean }> {
  return identity.client.call(identityContract.logout, target, asVisitor);
}

describe('an access token', () => {
  test('is verified with the published keys, names account and session, and is valid for ten minutes', async () => {
    const jwks = await identity.client.call(identityContract.keys, {}, asVisitor);
    const { payload } = await jwtVerify(
      signedIn.accessToken,
      createLocalJWKSet(jwks as unknown as JSONWebKeySet),
      {
        issuer: 'https://site.example',
        audience: accessTokens.audience,
        algorithms: [accessTokens.algorithm],
        currentDate: identity.clock.now(),
      },
    );
    const claims = accessTokenClaims.parse(payload);
    expect(claims).toMatchObject({ sub: signedIn.account.id, sid: signedIn.sessionId });
    expect(claims.exp - claims.iat).toBe(600);
    expect(signedIn.accessTokenExpiresAt).toBe(new Date(claims.exp * 1000).toISOString());
    expect(decodeProtectedHeader(signedIn.accessToken).kid).toBe(jwks.keys[0]?.kid);
  });

  test('never outlives its session', async () => {
    identity.clock.advance({ days: 29 });
    let current = await identity.refresh(signedIn.refreshToken);
    for (const days of [29, 29, 2.998]) {
      identity.clock.advance({ days });
      current = await identity.refresh(current.refreshToken);
    }
    // The session ends after 90 days: in less than three minutes.
    expect(current.accessTokenExpiresAt <= current.refreshTokenExpiresAt).toBe(true);
    expect(Date.parse(current.accessTokenExpiresAt) - identity.clock.now().getTime()).toBeLessThan(180_000);
  });
});

describe('the published keys', () => {
  test('contain nothing private', async () => {
    const { keys } = await identity.client.call(identityContract.keys, {}, asVisitor);
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      },
    ]);
  });
});

describe('a refresh token', () => {
  test('is rotated at each use, in the same session', async () => {
    const next = await identity.refresh(signedIn.refreshToken);
    expect(next.sessionId).toBe(signedIn.sessionId);
    expect(next.refreshToken).not.toBe(signedIn.refreshToken);
    await expect(identity.refresh(next.refreshToken)).resolves.toMatchObject({ account: signedIn.account });
  });

  test('used by two tabs at the same time keeps both signed in, in one session', async () => {
    const tabs = await Promise.all([
      identity.refresh(signedIn.refreshToken),
      identity.refresh(signedIn.refreshToken),
    ]);
    expect(tabs[0].refreshToken).not.toBe(tabs[1].refreshToken);
    const next = await Promise.all(tabs.map(({ refreshToken }) => identity.refresh(refreshToken)));
    for (const { sessionId } of [...tabs, ...next]) expect(sessionId).toBe(signedIn.sessionId);
  });

  test('rotated 29 s ago is accepted; after 31 s its reuse ends the session, which is broadcast', async () => {
    const next = await identity.refresh(signedIn.refreshToken);
    identity.clock.advance({ seconds: 29 });
    const { sessionId } = signedIn;
    await expect(identity.refresh(signedIn.refreshToken)).resolves.toMatchObject({ sessionId });
    identity.clock.advance({ seconds: 2 });
    identity.broadcasts.length = 0;
    await expect(identity.refresh(signedIn.refreshToken)).rejects.toMatchObject(ended);
    await expect(identity.refresh(next.refreshToken)).rejects.toMatchObject(ended);
    await expect(identity.findAccountOfSession(signedIn.sessionId)).resolves.toBeNull();
    await eventually(() =>
      expect(identity.broadcasts).toEqual([
        { channel: 'identity.sessionsEnded', payload: { sessionIds: [signedIn.sessionId] } },
      ]),
    );
    const [row] = await identity.sql(`SELECT end_reason FROM sessions WHERE id = $1`, [signedIn.sessionId]);
    expect(row).toEqual({ end_reason: 'token-reused' });
  });

  test('that a thief got within the grace period ends the session when the thief uses it after the owner’s next refresh', async () => {
    const owner = await identity.refresh(signedIn.refreshToken);
    const thief = await identity.refresh(signedIn.refreshToken);
    identity.clock.advance({ minutes: 9 });
    await identity.refresh(owner.refreshToken);
    identity.clock.advance({ minutes: 1 });
    await expect(identity.refresh(thief.refreshToken)).rejects.toMatchObject(ended);
    await expect(identity.findAccountOfSession(signedIn.sessionId)).resolves.toBeNull();
  });

  test('whose reuse ends its session does not affect the account’s other sessions', async () => {
    const otherSession = await identity.login(signedIn.account.email);
    await identity.refresh(signedIn.refreshToken);
    identity.clock.advance({ seconds: 31 });
    await expect(identity.refresh(signedIn.refreshToken)).rejects.toMatchObject(ended);
    await expect(identity.findAccountOfSession(otherSession.sessionId)).resolves.toEqual(
      otherSession.account,
    );
  });

  test.each(['', 'made-up', '\0', 'x'.repeat(5_000)])(
    '%j that was never issued is refused',
    async (token) => {
      await expect(identity.refresh(token)).rejects.toMatchObject(ended);
    },
  );

  test('is valid for 30 days, and no session is valid for more than 90', async () => {
    identity.clock.advance({ days: 29.9 });
    let current = await identity.refresh(signedIn.refreshToken);
    identity.clock.advance({ days: 29.9 });
    current = await identity.refresh(current.refreshToken);
    identity.clock.advance({ days: 29.9 });
    current = await identity.refresh(current.refreshToken);
    identity.clock.advance({ days: 0.4 });
    await expect(identity.refresh(current.refreshToken)).rejects.toMatchObject(ended);
    await expect(identity.findAccountOfSession(current.sessionId)).resolves.toBeNull();
  });

  test('unused for 30 days is invalid', async () => {
    identity.clock.advance({ days: 30 });
    await expect(identity.refresh(signedIn.refreshToken)).rejects.toMatchObject(ended);
  });
});

describe('signing out', () => {
  test('by refresh token ends the session immediately, which is broadcast', async () => {
    identity.broadcasts.length = 0;
    await expect(logout({ refreshToken: signedIn.refreshToken })).resolves.toEqual({ ended: true });
    await expect(identity.findAccountOfSession(signedIn.sessionId)).resolves.toBeNull();
    await expect(identity.refresh(signedIn.refreshToken)).rejects.toMatchObject(ended);
    await eventually(() =>
      expect(identity.broadcasts).toEqual([
        { channel: 'identity.sessionsEnded', payload: { sessionIds: [signedIn.sessionId] } },
      ]),
    );
  });

  test('by session id ends that session only', async () => {
    const otherSession = await identity.login(signedIn.account.email);
    await expect(logout({ sessionId: signedIn.sessionId })).resolves.toEqual({ ended: true });
    await expect(identity.findAccountOfSession(signedIn.sessionId)).resolves.toBeNull();
    await expect(identity.findAccountOfSession(otherSession.sessionId)).resolves.toEqual(
      otherSession.account,
    );
  });

  test('of an expired session does not count as ending it', async () => {
    const { account, sessionId, refreshToken } = signedIn;
    identity.clock.advance({ days: 30 });
    await expect(logout({ refreshToken })).resolves.toEqual({ ended: false });
    const current = await identity.login(account.email);
    const actor = actorOf(current);
    await expect(
      identity.client.call(accountContract.endSession, { id: sessionId }, { actor }),
    ).resolves.toEqual({ ended: false });
    await expect(identity.client.call(accountContract.endAllSessions, {}, { actor })).resolves.toEqual({
      ended: 1,
    });
    const rows = await identity.sql(`SELECT ended_at FROM sessions WHERE id = $1`, [sessionId]);
    expect(rows).toEqual([{ ended_at: null }]);
  });

  test('everywhere ends a session that is being refreshed as it expires', async () => {
    const { account, sessionId } = signedIn;
    identity.clock.advance({ days: 30 });
    const current = await identity.login(account.email);
    // A refresh that began before the session expired, and has not committed yet.
    const refreshing = identity.replicas[0]!.app.get(DataSource).createQueryRunner();
    await refreshing.startTransaction();
    await refreshing.query(`UPDATE sessions SET expires_at = expires_at + interval '30 days' WHERE id = $1`, [
      sessionId,
    ]);
    const answer = identity.client.call(accountContract.endAllSessions, {}, { actor: actorOf(current) });
    try {
      await eventually(async () => {
        const waiting = await identity.sql(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(waiting).toHaveLength(1);
      });
    } finally {
      await refreshing.commitTransaction();
      await refreshing.release();
    }
    await expect(answer).resolves.toEqual({ ended: 2 });
    await expect(identity.findAccountOfSession(sessionId)).resolves.toBeNull();
  });

  test('twice, of an unknown session or without a session succeeds', async () => {
    await logout({ sessionId: signedIn.sessionId });
    for (const target of [{ sessionId: signedIn.sessionId }, { sessionId: 'x' }, { refreshToken: 'x' }, {}]) {
      await expect(logout(target)).resolves.toEqual({ ended: false });
    }
  });
});

describe('the account of a session', () => {
  test.each(['', 'nonsense', '018f0000-0000-7000-8000-000000000000'])(
    'is null for the session id %j',
    async (sessionId) => {
      await expect(identity.findAccountOfSession(sessionId)).resolves.toBeNull();
    },
  );
});

describe('the sweep', () => {
  test('deletes old attempts to sign in or to enter a code, and sessions with their tokens a week after they ended, but no session that continues', async () => {
    await logout({ sessionId: signedIn.sessionId });
    await expect(identity.login(signedIn.account.email, 'wrong')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await expect(identity.sql(`SELECT count(*)::int AS attempts FROM sign_in_attempts`)).resolves.toEqual([
      { attempts: 1 },
    ]);
    await identity.sql(
      `INSERT INTO second_factor_attempts (account_id, failures, last_attempt_at, blocked_until)
       VALUES ($1, 1, $2, $2)`,
      [signedIn.account.id, identity.clock.now()],
    );
    identity.clock.advance({ days: 6 });
    const living = await identity.register('living@example.com');
    const sweeper = identity.replicas[0]!.app.get(RetentionWorker, { strict: false });
    const stored = async () => {
      const [counts] = await identity.sql(
        `SELECT (SELECT count(*)::int FROM sessions WHERE id = $1) AS ended,
                (SELECT count(*)::int FROM refresh_tokens WHERE session_id = $1) AS tokens,
                (SELECT count(*)::int FROM sessions WHERE id = $2) AS living,
                (SELECT count(*)::int FROM sign_in_attempts) AS attempts,
                (SELECT count(*)::int FROM second_factor_attempts) AS "codeAttempts"`,
        [signedIn.sessionId, living.sessionId],
      );
      return counts;
    };
    await sweeper.sweep();
    await expect(stored()).resolves.toEqual({ ended: 1, tokens: 1, living: 1, attempts: 0, codeAttempts: 0 });
    identity.clock.advance({ days: 1.1 });
    await sweeper.sweep();
    await expect(stored()).resolves.toEqual({ ended: 0, tokens: 0, living: 1, attempts: 0, codeAttempts: 0 });
    await expect(identity.refresh(living.refreshToken)).resolves.toMatchObject({ account: living.account });
  });

  test('deletes the expired tokens of a session that continues', async () => {
    identity.clock.advance({ days: 29 });
    const { sessionId, refreshToken } = await identity.refresh(signedIn.refreshToken);
    const countTokens = async () => {
      const tokens = await identity.sql(`SELECT 1 FROM refresh_tokens WHERE session_id = $1`, [sessionId]);
      return tokens.length;
    };
    expect(await countTokens()).toBe(2);
    identity.clock.advance({ days: 1 });
    await identity.replicas[0]!.app.get(RetentionWorker, { strict: false }).sweep();
    expect(await countTokens()).toBe(1);
    await expect(identity.refresh(refreshToken)).resolves.toMatchObject({ sessionId });
  });
});
