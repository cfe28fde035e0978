import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('two replicas', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('share the requests: each is handled once, by one of them', async () => {
    const replicas = [
      await harness.replica('a', { concurrency: 4 }),
      await harness.replica('b', { concurrency: 4 }),
    ];
    const client = await harness.client();
    const labels = Array.from({ length: 200 }, (_, index) => `call ${index}`);
    await Promise.all(
      labels.map((label) => client.call(fixtureContract.wait, { ms: 1, label }, { actor: visitor })),
    );
    const runs = replicas.flatMap((replica) => replica.runs.map((run) => run.label));
    expect(runs.sort()).toEqual(labels.sort());
    for (const replica of replicas) expect(replica.runs.length).toBeGreaterThan(20);
  });

  test('give each of two callers its own answers', async () => {
    // The replicas of the previous test still run.
    const callers = [await harness.client(), await harness.client()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        callers[index % 2]!.call(fixtureContract.echo, { text: `text ${index}` }, { actor: visitor }),
      ),
    );
    expect(answers.map((answer) => answer.text)).toEqual(answers.map((_, index) => `text ${index}`));
  });
});
