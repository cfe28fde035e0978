import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('a killed replica', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('leaves its requests to another replica, which answers all of them', async () => {
    const options = { takeOverAfterMs: 600, heartbeatMs: 120 };
    const doomed = await harness.process('doomed', options);
    const client = await harness.client();
    const calls = Array.from({ length: 10 }, (_, index) =>
      client.call(
        fixtureContract.wait,
        { ms: 0, label: String(index), hangAt: 'doomed' },
        { actor: visitor, requestId: `request ${index}` },
      ),
    );
    await eventually(() => expect(doomed.runs).toHaveLength(10));
    const survivor = await harness.replica('survivor', options);
    await doomed.kill();
    expect(await Promise.all(calls)).toEqual(calls.map(() => ({ replica: 'survivor' })));
    expect(survivor.runs.map((run) => run.requestId).sort()).toEqual(
      doomed.runs.map((run) => run.requestId).sort(),
    );
  });
});
