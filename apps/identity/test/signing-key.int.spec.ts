import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { identityContract } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { KeyRotationWorker } from '../key/key-rotation.worker.js';
import { IdentityHarness } from './identity.harness.js';

let identity: IdentityHarness;
let personCount = 0;

beforeAll(async () => {
  identity = await IdentityHarness.start();
});
afterAll(() => identity.stop());

async function listPublishedKids(): Promise<unknown[]> {
  const { keys } = await identity.client.call(identityContract.keys, {}, { actor: { role: 'visitor' } });
  return keys.map(({ kid }) => kid);
}

async function signingKid(): Promise<string | undefined> {
  const { accessToken } = await identity.register(`person${(personCount += 1)}@example.com`);
  return decodeProtectedHeader(accessToken).kid;
}

/** Changes the states of the keys as a rotation would. */
async function rotateTo(kid: string): Promise<void> {
  await identity.sql(`UPDATE signing_keys SET state = 'retired', retired_at = $1 WHERE state = 'current'`, [
    identity.clock.now(),
  ]);
  await identity.sql(`UPDATE signing_keys SET state = 'current' WHERE kid = $1`, [kid]);
}

describe('signing keys', () => {
  test('the next one is published before it signs, and signs within a minute of the rotation; the retired one stays published for a while', async () => {
    const first = await signingKid();
    await identity.sql(
      `INSERT INTO signing_keys (kid, algorithm, state, public_jwk, private_key, created_at)
       SELECT 'coming', algorithm, 'next', public_jwk, private_key, created_at + interval '1 s' FROM signing_keys`,
    );
    await expect(listPublishedKids()).resolves.toEqual(['coming', first]);
    await expect(signingKid()).resolves.toBe(first);

    await rotateTo('coming');
    identity.clock.advance({ seconds: 61 });
    await expect(signingKid()).resolves.toBe('coming');
    await expect(listPublishedKids()).resolves.toEqual(['coming', first]);

    identity.clock.advance({ minutes: 12 });
    await expect(listPublishedKids()).resolves.toEqual(['coming']);
  });

  test('at most one is current', async () => {
    await expect(
      identity.sql(
        `INSERT INTO signing_keys (kid, algorithm, state, public_jwk, private_key, created_at)
         SELECT 'second', algorithm, 'current', public_jwk, private_key, created_at FROM signing_keys LIMIT 1`,
      ),
    ).rejects.toThrow('signing_keys_one_current');
  });

  test('are rotated once when they are old, even if three rotations run concurrently, and nobody is signed out', async () => {
    const rotation = identity.replicas[0]!.app.get(KeyRotationWorker, { strict: false });
    const rotateConcurrently = () =>
      Promise.all([rotation.rotateIfDue(), rotation.rotateIfDue(), rotation.rotateIfDue()]);
    const old = await signingKid();
    await rotateConcurrently();
    expect(await listPublishedKids()).toEqual([old]);

    identity.clock.advance({ days: 91 });
    const person = await identity.register('keeps-signed-in@example.com');
    await rotateConcurrently();
    const [next, ...others] = await listPublishedKids();
    expect(others).toEqual([old]);
    expect(await signingKid()).toBe(old);
    await rotateConcurrently();
    expect(await listPublishedKids()).toEqual([next, old]);

    identity.clock.advance({ seconds: 61 });
    await rotateConcurrently();
    // The service remembers for a minute which key signs.
    identity.clock.advance({ seconds: 61 });
    expect(await signingKid()).toBe(next);
    // The old key is kept until its last tokens have expired.
    expect(await listPublishedKids()).toEqual([next, old]);
    expect(await identity.findAccountOfSession(person.sessionId)).toEqual(person.account);
    await expect(identity.refresh(person.refreshToken)).resolves.toMatchObject({ account: person.account });
    identity.clock.advance({ minutes: 12 });
    await rotateConcurrently();
    expect(await identity.sql(`SELECT kid FROM signing_keys`)).toEqual([{ kid: next }]);
  });

  test('a replica that waited for the lock does not rotate the keys again if another one has just done so', async () => {
    const rotation = identity.replicas[0]!.app.get(KeyRotationWorker, { strict: false });
    identity.clock.advance({ days: 91 });
    const otherReplica = identity.dataSource.createQueryRunner();
    await otherReplica.startTransaction();
    await otherReplica.query('LOCK TABLE signing_keys IN EXCLUSIVE MODE');
    // The worker finds that the key is too old, and then waits for the lock on the table.
    const slow = rotation.rotateIfDue();
    await eventually(async () => {
      const waiting = await identity.sql(
        `SELECT 1 FROM pg_locks WHERE relation = 'signing_keys'::regclass AND NOT granted`,
      );
      expect(waiting).toHaveLength(1);
    });
    await otherReplica.query(`UPDATE signing_keys SET state = 'retired', retired_at = $1`, [
      identity.clock.now(),
    ]);
    await otherReplica.query(
      `INSERT INTO signing_keys (kid, algorithm, state, public_jwk, private_key, created_at)
       SELECT 'of the other replica', algorithm, 'current', public_jwk, private_key, $1 FROM signing_keys`,
      [identity.clock.now()],
    );
    await otherReplica.commitTransaction();
    await otherReplica.release();
    await slow;
    expect(await identity.sql(`SELECT kid FROM signing_keys WHERE state <> 'retired'`)).toEqual([
      { kid: 'of the other replica' },
    ]);
  });
});
