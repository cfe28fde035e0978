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

  test('another replica takes over; the late answer of the first harms nobody', async () => {
    const options = { reclaimAfterMs: 400, heartbeatMs: 80 };
    const replicas = await Promise.all([harness.process('a', options), harness.process('b', options)]);
    const client = await harness.client();
    const call = { ms: 1500, firstOnly: true };
    const first = await client.call(fixtureContract.block, call, { actor: visitor });
    expect(first.deliveries).toBe(2);
    const blocked = replicas.find((replica) => replica.name !== first.by);
    expect(blocked?.runs.map((run) => run.handler)).toEqual(['block']);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        client.call(fixtureContract.block, { ms: 1, firstOnly: false }, { actor: visitor }),
      ),
    );
    expect(answers.map((answer) => answer.deliveries)).toEqual(answers.map(() => 1));
  });
});
