import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('slow handler', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('runs once, although it takes several times as long as `takeOverAfterMs`', async () => {
    const options = { takeOverAfterMs: 1600, heartbeatMs: 80 };
    const replicas = [await harness.replica('a', options), await harness.replica('b', options)];
    const client = await harness.client();
    await client.call(fixtureContract.wait, { ms: 5000 }, { actor: visitor });
    expect(replicas.flatMap((replica) => replica.runs)).toHaveLength(1);
  });

  test('does not delay fast handlers', async () => {
    // The replicas of the previous test still run.
    const client = await harness.client();
    const slow = client.call(fixtureContract.wait, { ms: 3000 }, { actor: visitor });
    let slowIsDone = false;
    void slow.then(() => (slowIsDone = true));
    await client.call(fixtureContract.echo, { text: 'quick' }, { actor: visitor });
    expect(slowIsDone).toBe(false);
    await slow;
  });
});
