import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fullTest } from '#libs/testing';
import { visitor } from '#libs/contracts';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('blocked event loop', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('another replica takes over the request, and answers others meanwhile', async () => {
    const options = { takeOverAfterMs: 800, heartbeatMs: 160 };
    const replicas = await Promise.all([harness.process('a', options), harness.process('b', options)]);
    const client = await harness.client();
    const input = { ms: 2500, firstOnly: true };
    const answer = await client.call(fixtureContract.block, input, { actor: visitor });
    expect(answer.deliveries).toBe(2);
    const blocked = replicas.find((replica) => replica.name !== answer.replica);
    expect(blocked?.runs.map((run) => run.handler)).toEqual(['block']);
    const echo = client.call(fixtureContract.echo, { text: 'meanwhile' }, { actor: visitor });
    await expect(echo).resolves.toEqual({ text: 'meanwhile' });
  });

  fullTest('many short computations do not add up to a blocked event loop', async () => {
    // The replicas of the first test are still running, and answer.
    const client = await harness.client();
    // Reading 64 requests at once would block a replica's heartbeat for 960 ms. After 800 ms, the other replica would take them over.
    const input = { ms: 15, firstOnly: false };
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => client.call(fixtureContract.block, input, { actor: visitor })),
    );
    expect(answers.filter((answer) => answer.deliveries > 1)).toEqual([]);
  });
});
