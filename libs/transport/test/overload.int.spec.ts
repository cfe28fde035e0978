import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('overload', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('requests beyond the limit are refused; admitted requests are answered', async () => {
    const replica = await harness.replica('a', { concurrency: 2, maxQueue: 20 });
    const callers = [await harness.client(), await harness.client()];
    const calls = Array.from({ length: 50 }, (_, index) =>
      callers[index % 2]!.call(fixtureContract.wait, { ms: 20, label: String(index) }, { actor: visitor }),
    );
    const results = await Promise.allSettled(calls);
    const refused = results.filter((result) => result.status === 'rejected');
    const answered = results.filter((result) => result.status === 'fulfilled');
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ code: 'OVERLOADED', details: { retryAfterSeconds: 1 } });
    }
    expect(answered.length).toBeGreaterThanOrEqual(20);
    expect(refused.length).toBeGreaterThan(0);
    expect(replica.runs).toHaveLength(answered.length);
    await expect(
      callers[0]!.call(fixtureContract.echo, { text: 'again' }, { actor: visitor }),
    ).resolves.toEqual({ text: 'again' });
  });

  test('a caller limits its own calls in flight', async () => {
    const client = await harness.client({ maxInFlight: 5 });
    const calls = Array.from({ length: 8 }, () =>
      client.call(fixtureContract.wait, { ms: 20 }, { actor: visitor }),
    );
    const codes = (await Promise.allSettled(calls)).map((result) =>
      result.status === 'rejected' ? (result.reason as { code: string }).code : 'ok',
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(5);
    expect(codes.filter((code) => code === 'OVERLOADED')).toHaveLength(3);
  });
});
