import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DomainError, visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';
import type { ReplicaProcess } from './fixture/processes.js';

const rounds = 12;
/**
 * Each caller sends one call after another. A caller stops when a call fails: after a failed test, it would otherwise loop forever on the closed
 * client.
 */
const callers = 30;

describe('crash schedule', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('under load, every call is answered although replicas are killed and stopped in turn', async () => {
    const replicas: ReplicaProcess[] = [];
    const runsByLabel = new Map<string, number>();
    const start = async (name: string) => {
      const replica = await harness.process(name);
      replicas.push(replica);
    };
    const countRuns = (replica: ReplicaProcess) => {
      for (const { label } of replica.runs) runsByLabel.set(label, (runsByLabel.get(label) ?? 0) + 1);
    };
    await Promise.all([start('replica 0'), start('replica 1')]);
    const client = await harness.client();
    let stop = false;
    const failures: DomainError[] = [];
    const answered: string[] = [];
    const load = Array.from({ length: callers }, async (_, caller) => {
      for (let index = 0; !stop; index++) {
        const label = `${caller}-${index}`;
        try {
          await client.call(fixtureContract.wait, { ms: 5, label }, { actor: visitor });
          answered.push(label);
        } catch (error) {
          failures.push(error as DomainError);
          return;
        }
      }
    });
    for (let round = 0; round < rounds; round++) {
      const before = answered.length;
      const [oldest] = replicas.splice(0, 1);
      if (round % 2 === 0) await oldest!.kill();
      else expect(await oldest!.stop()).toBe(0);
      countRuns(oldest!);
      await start(`replica ${round + 2}`);
      await eventually(() => expect(answered.length).toBeGreaterThan(before + callers));
    }
    stop = true;
    await Promise.all(load);
    expect(failures).toEqual([]);
    for (const replica of replicas) {
      await replica.stop();
      countRuns(replica);
    }
    expect(answered.length).toBeGreaterThan(rounds * callers);
    // Only requests that a killed process was handling run again: at most one of each caller per kill.
    // Runs that a killed process did not report are not counted.
    const repeated = [...runsByLabel.values()].filter((runs) => runs > 1).length;
    expect(repeated).toBeLessThanOrEqual((rounds / 2) * callers);
    const raw = await harness.raw();
    expect(await raw.xLen('{orders}:requests')).toBe(0);
    expect(await raw.xLen('{orders}:dead')).toBe(0);
  }, 300_000);

  test('under load, every call is answered although Redis restarts empty again and again', async () => {
    await harness.process('replica a');
    const client = await harness.client({ outageToleranceMs: 10_000 });
    let stop = false;
    let answered = 0;
    const codes = new Set<string>();
    const load = Array.from({ length: callers }, async () => {
      while (!stop) {
        try {
          await client.call(fixtureContract.wait, { ms: 5 }, { actor: visitor });
          answered++;
        } catch (error) {
          codes.add((error as DomainError).code);
          return;
        }
      }
    });
    for (let round = 0; round < 8; round++) {
      const before = answered;
      await harness.redis.restartEmpty();
      await eventually(() => expect(answered).toBeGreaterThan(before + 2 * callers));
    }
    stop = true;
    await Promise.all(load);
    expect([...codes]).toEqual([]);
    expect(client.inFlightCount).toBe(0);
  });
});
