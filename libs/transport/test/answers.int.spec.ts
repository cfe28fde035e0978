import { Controller, Module } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Actor, DomainError, visitor } from '#libs/contracts';
import { fingerprintOf, type RpcClient } from '../src/index.js';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

const customer: Actor = {
  role: 'customer',
  accountId: 'account-1',
  email: 'c@example.com',
  emailVerified: true,
  sessionId: 'session-1',
};
const admin: Actor = { ...customer, role: 'admin' };

describe('calls and their answers', () => {
  let harness: Harness;
  let client: RpcClient;
  const outcomes: string[] = [];
  beforeAll(async () => {
    harness = await Harness.start();
    await harness.replica('a', {
      observer: { onRequest: (pattern, _ms, outcome) => outcomes.push(`${pattern} ${outcome}`) },
    });
    client = await harness.client();
  });
  afterAll(() => harness.close());

  const errorOf = async (promise: Promise<unknown>): Promise<DomainError> => {
    const error: unknown = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DomainError);
    return error as DomainError;
  };

  test('an expected failure arrives with code, message and details', async () => {
    const error = await errorOf(
      client.call(fixtureContract.fail, { how: 'as expected' }, { actor: visitor }),
    );
    expect(error.toData()).toEqual({
      code: 'VERSION_MISMATCH',
      message: 'Somebody was quicker.',
      details: { current: { version: 7 } },
    });
    expect(outcomes).toContain('orders.fail VERSION_MISMATCH');
  });

  test('an unexpected failure is INTERNAL without details, which are in the log under the request id', async () => {
    const call = client.call(
      fixtureContract.fail,
      { how: 'unexpectedly' },
      { actor: visitor, requestId: 'request-7' },
    );
    const error = await errorOf(call);
    expect(error.code).toBe('INTERNAL');
    expect(JSON.stringify(error.toData())).not.toContain('secret detail');
    const line = harness.logged.find((one) => one.fields.requestId === 'request-7');
    expect(line).toMatchObject({ level: 'error', fields: { pattern: 'orders.fail' } });
    expect(line?.fields.error).toContain('secret detail of the database');
  });

  test('bad input is refused with an entry for each invalid field', async () => {
    const bad = { ms: 'soon', label: 7 } as unknown as { ms: number };
    const error = await errorOf(client.call(fixtureContract.wait, bad, { actor: visitor }));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.details.fields?.map(({ field }) => field)).toEqual(['ms', 'label']);
  });

  test('access is checked before the input', async () => {
    const call = (actor: Actor) => client.call(fixtureContract.adminsOnly, {}, { actor });
    const badCall = (actor: Actor) => client.call(fixtureContract.adminsOnly, null as never, { actor });
    expect((await errorOf(badCall(visitor))).code).toBe('UNAUTHENTICATED');
    expect((await errorOf(badCall(customer))).code).toBe('FORBIDDEN');
    const answer = { fingerprint: fingerprintOf(fixtureContract.adminsOnly, {}) };
    await expect(call(admin)).resolves.toMatchObject(answer);
    await expect(call({ role: 'system' })).resolves.toMatchObject(answer);
  });

  test('request id, trace context and fingerprint reach the handler', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const options = { actor: admin, requestId: 'request-8', traceparent };
    expect(await client.call(fixtureContract.adminsOnly, {}, options)).toEqual({
      requestId: 'request-8',
      traceparent,
      fingerprint: fingerprintOf(fixtureContract.adminsOnly, {}),
    });
  });

  test('a pattern without a handler is INTERNAL, not a TIMEOUT', async () => {
    const unknown = { ...fixtureContract.echo, pattern: 'orders.unheardOf' as const };
    expect((await errorOf(client.call(unknown, { text: '' }, { actor: visitor }))).code).toBe('INTERNAL');
  });

  test('a service without replicas is UNAVAILABLE, and later calls fail without waiting for it', async () => {
    const impatient = await harness.client({ outageToleranceMs: 300 });
    const missing = { ...fixtureContract.echo, pattern: 'messaging.echo' as const };
    const call = (deadlineMs: number) =>
      errorOf(impatient.call(missing, { text: '' }, { actor: visitor, deadlineMs }));
    expect((await call(10_000)).code).toBe('UNAVAILABLE');
    expect(await impatient.hasLiveReplica('messaging')).toBe(false);
    expect(await impatient.hasLiveReplica('orders')).toBe(true);
    // Waiting for the service would have exceeded this deadline.
    expect((await call(200)).toData()).toMatchObject({
      code: 'UNAVAILABLE',
      details: { retryAfterSeconds: 1 },
    });
  });

  test('a process does not start if one of its handlers has no contract', async () => {
    @Controller()
    class Careless {
      @MessagePattern('orders.careless')
      run() {
        return {};
      }
    }
    @Module({ controllers: [Careless] })
    class CarelessModule {}
    await expect(harness.serve(CarelessModule)).rejects.toThrow('orders.careless: declare its handler');
  });
});
