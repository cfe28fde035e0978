import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('expired request', () => {
  let harness: Harness;
  /** The first test starts it. */
  let replica: Awaited<ReturnType<Harness['replica']>>;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('is dropped instead of executed, and its caller gets TIMEOUT', async () => {
    const outcomes: string[] = [];
    replica = await harness.replica('a', {
      concurrency: 1,
      observer: { onRequest: (_pattern, _ms, outcome) => outcomes.push(outcome) },
    });
    const client = await harness.client();
    const wait = (label: string, ms: number, deadlineMs: number) =>
      client.call(fixtureContract.wait, { ms, label }, { actor: visitor, deadlineMs });
    const occupyingCall = wait('occupying', 5000, 30_000);
    await eventually(() => expect(replica.runs).toHaveLength(1));
    await expect(wait('late', 0, 100)).rejects.toMatchObject({ code: 'TIMEOUT' });
    await occupyingCall;
    await wait('next', 0, 30_000);
    expect(replica.runs.map((run) => run.label)).toEqual(['occupying', 'next']);
    expect(outcomes).toEqual(['ok', 'EXPIRED', 'ok']);
    const raw = await harness.raw();
    await eventually(async () => expect(await raw.xLen('{orders}:requests')).toBe(0));
  });

  test('the caller stops waiting even if the handler never ends', async () => {
    const client = await harness.client();
    const call = client.call(
      fixtureContract.wait,
      { ms: 0, hangAt: 'a', label: 'endless' },
      { actor: visitor, deadlineMs: 500 },
    );
    await eventually(() => expect(replica.runs.at(-1)?.label).toBe('endless'));
    await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(client.inFlightCount).toBe(0);
  });
});
