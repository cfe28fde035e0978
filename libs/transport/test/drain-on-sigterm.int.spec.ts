import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('a replica that is stopped', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('by SIGTERM finishes its requests, and no call fails', async () => {
    const leaving = await harness.process('leaving');
    const client = await harness.client();
    const wait = (label: string, ms: number) =>
      client.call(fixtureContract.wait, { ms, label }, { actor: visitor });
    const callsBefore = Array.from({ length: 5 }, (_, index) => wait(`before ${index}`, 600));
    await eventually(() => expect(leaving.runs).toHaveLength(5));
    const staying = await harness.replica('staying');
    const stopped = leaving.stop();
    const callsMeanwhile: Promise<unknown>[] = [];
    let ended = false;
    void stopped.then(() => (ended = true));
    while (!ended) {
      const call = wait('meanwhile', 1);
      callsMeanwhile.push(call);
      await call;
    }

    expect(await stopped).toBe(0);
    expect(await Promise.all(callsBefore)).toEqual(callsBefore.map(() => ({ replica: 'leaving' })));
    await Promise.all(callsMeanwhile);
    expect(staying.runs).not.toEqual([]);
    expect([...leaving.runs, ...staying.runs]).toHaveLength(callsBefore.length + callsMeanwhile.length);
    const raw = await harness.raw();
    const consumers = await raw.xInfoConsumers('{orders}:requests', 'orders');
    // The stopped replica has deleted its consumer.
    expect(consumers).toHaveLength(1);
  });

  test('leaves pending a request that does not end within the drain timeout, and another replica takes it over', async () => {
    const options = { drainTimeoutMs: 100, takeOverAfterMs: 400, heartbeatMs: 80 };
    // In the shared harness, the replica that the test above has left running could take the request.
    const ownHarness = await Harness.start();
    const leaving = await ownHarness.replica('leaving', options);
    const client = await ownHarness.client();
    const call = client.call(fixtureContract.wait, { ms: 0, hangAt: 'leaving' }, { actor: visitor });
    await eventually(() => expect(leaving.runs).toHaveLength(1));
    await leaving.close();
    await ownHarness.replica('staying', options);
    expect(await call).toEqual({ replica: 'staying' });
    expect(ownHarness.logged.map((line) => line.message)).toContain(
      'Stopped with work unacknowledged; another replica will take it over',
    );
    await ownHarness.close();
  });
});
