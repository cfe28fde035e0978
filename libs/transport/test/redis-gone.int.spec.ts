import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { broadcasts, visitor } from '#libs/contracts';
import { eventually, startTcpGate, type TcpGate } from '#libs/testing';
import { Broadcaster, EventPublisher, RpcClient } from '../src/index.js';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('Redis gone', () => {
  let harness: Harness;
  let gate: TcpGate;
  let client: RpcClient;
  let replica: Awaited<ReturnType<Harness['replica']>>;
  beforeAll(async () => {
    harness = await Harness.start();
    gate = await startTcpGate(harness.redis.url);
    replica = await harness.replica('a', { redisUrl: gate.url });
    client = await harness.client({ redisUrl: gate.url, outageToleranceMs: 300 });
  });
  afterAll(async () => {
    await harness.close();
    await gate.close();
  });

  const echo = (options: { deadlineMs?: number } = {}) =>
    client.call(fixtureContract.echo, { text: 'x' }, { actor: visitor, ...options });

  test('waiting and new callers get UNAVAILABLE; calls work again when Redis is back', async () => {
    const waiting = client.call(fixtureContract.wait, { ms: 0, hangAt: 'a' }, { actor: visitor });
    await eventually(() => expect(replica.runs).toHaveLength(1));
    await gate.shut();
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE', details: { retryAfterSeconds: 1 } });
    expect(client.connected).toBe(false);
    expect(replica.server.ready).toBe(false);
    // The outage has lasted longer than `outageToleranceMs`, so calls are refused at once.
    await expect(echo({ deadlineMs: 100 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });

    await gate.open();
    await eventually(() => expect(client.connected && replica.server.ready).toBe(true));
    await expect(echo()).resolves.toEqual({ text: 'x' });
  });

  test('publishing fails while Redis is gone, and works again when it is back', async () => {
    const options = { redisUrl: gate.url, name: 'spec', logger: harness.logger };
    const publisher = new EventPublisher(options);
    const broadcaster = new Broadcaster(options);
    await Promise.all([publisher.connect(), broadcaster.connect()]);
    const event = { id: 'e1', event: 'content.itemCounted', payload: {}, occurredAt: new Date() };
    await gate.shut();
    await expect(publisher.publish([event])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(broadcaster.publish(broadcasts.adminsChanged, {})).rejects.toThrow('The client is offline');
    await gate.open();
    await eventually(() => publisher.publish([event]));
    await eventually(() => broadcaster.publish(broadcasts.adminsChanged, {}));
    await Promise.all([publisher.close(), broadcaster.close()]);
  });

  test('a Redis that hangs: the caller gets TIMEOUT, and calls work again afterwards', async () => {
    await eventually(() => expect(client.connected && replica.server.ready).toBe(true));
    gate.freeze();
    await expect(echo({ deadlineMs: 200 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    await gate.open();
    await expect(echo()).resolves.toEqual({ text: 'x' });
  });

  test('a client that starts while Redis is gone connects when Redis is back', async () => {
    await gate.shut();
    const early = harness.client({ redisUrl: gate.url, caller: 'early', outageToleranceMs: 10_000 });
    const unreachable = {
      message: 'Redis is unreachable',
      fields: expect.objectContaining({ connection: 'early:calls' }),
    };
    await eventually(() => expect(harness.logged).toContainEqual(expect.objectContaining(unreachable)));
    await gate.open();
    const call = (await early).call(fixtureContract.echo, { text: 'early' }, { actor: visitor });
    await expect(call).resolves.toEqual({ text: 'early' });
  });

  test('a client can be closed while it is connecting: `connect` then resolves', async () => {
    await gate.shut();
    const early = new RpcClient({ redisUrl: gate.url, caller: 'early', logger: harness.logger });
    const connecting = early.connect();
    await early.close();
    await expect(connecting).resolves.toBeUndefined();
    await gate.open();
  });

  test('a replica can be stopped while Redis is gone', async () => {
    await gate.shut();
    await expect(replica.close()).resolves.toBeUndefined();
    await gate.open();
  });
});
