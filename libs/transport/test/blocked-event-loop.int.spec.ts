import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('blocked event loop', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('another replica takes over; the late answer of the first does no harm', async () => {
    const options = { reclaimAfterMs: 800, heartbeatMs: 160 };
    const replicas = await Promise.all([harness.process('a', options), harness.process('b', options)]);
    const client = await harness.client();
    const call = { ms: 2500, firstOnly: true };
    const first = await client.call(fixtureContract.block, call, { actor: visitor });
    expect(first.deliveries).toBe(2);
    const blocked = replicas.find((replica) => replica.name !== first.by);
    expect(blocked?.runs.map((run) => run.handler)).toEqual(['block']);
    const answer = client.call(fixtureContract.echo, { text: 'meanwhile' }, { actor: visitor });
    await expect(answer).resolves.toEqual({ text: 'meanwhile' });
  });

  test('many short computations do not add up to a blocked event loop', async () => {
    const client = await harness.client();
    // If one replica read all 64 at once, it would block its heartbeat for longer than the other replica
    // waits.
    const call = { ms: 15, firstOnly: false };
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => client.call(fixtureContract.block, call, { actor: visitor })),
    );
    expect(answers.filter((answer) => answer.deliveries > 1)).toEqual([]);
  });
});
