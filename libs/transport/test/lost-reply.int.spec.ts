import { Controller, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { command, type DomainError, query, type ServiceName, visitor } from '#libs/contracts';
import { eventually, startTcpGate, type TcpGate } from '#libs/testing';
import { Handles, RequestContext } from '../src/index.js';
import { Harness } from './fixture/harness.js';

const place = command({
  pattern: 'orders.place',
  access: 'public',
  input: z.object({}),
  output: z.object({ order: z.int() }),
});

const contentQuery = query({
  pattern: 'content.read',
  access: 'public',
  input: z.object({}),
  output: z.object({}),
});

const deliveredIds: string[] = [];
const inbox = new Map<string, { order: number }>();
let release: () => void = () => undefined;
const released = new Promise<void>((resolve) => (release = resolve));

@Controller()
class Orders {
  @Handles(place)
  async place(_: object, { requestId }: RequestContext) {
    deliveredIds.push(requestId);
    const known = inbox.get(requestId);
    if (known) return known;
    await released;
    const reply = { order: inbox.size + 1 };
    inbox.set(requestId, reply);
    return reply;
  }
}

@Module({ controllers: [Orders] })
class OrdersModule {}

describe('a lost reply', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('a caller that was disconnected asks again with the same id and gets the stored reply', async () => {
    const gate = await startTcpGate(harness.redis.url);
    await harness.serve(OrdersModule);
    const client = await harness.client({ redisUrl: gate.url, outageToleranceMs: 10_000 });
    const raw = await harness.raw();

    const answer = client.call(place, {}, { actor: visitor });
    await eventually(() => expect(deliveredIds).toHaveLength(1));
    await gate.shut();
    release();
    // Handled and acknowledged, although nobody received the reply.
    await eventually(async () => expect(await raw.xLen('{orders}:requests')).toBe(0));
    await gate.open();

    expect(await answer).toEqual({ order: 1 });
    expect(deliveredIds).toHaveLength(2);
    expect(new Set(deliveredIds).size).toBe(1);
    await gate.close();
  });
});

describe('a call that waits for an absent service', () => {
  let harness: Harness;
  let gate: TcpGate;
  beforeAll(async () => {
    harness = await Harness.start();
    gate = await startTcpGate(harness.redis.url);
  });
  afterAll(async () => {
    await harness.close();
    await gate.close();
  });

  test('is sent once after a reconnect: its pending retry does not send it again', async () => {
    const client = await harness.client({ redisUrl: gate.url, outageToleranceMs: 10_000 });
    const raw = await harness.raw();
    const call = (contract: typeof place | typeof contentQuery, deadlineMs = 60_000) => {
      const answer = client.call(contract, {}, { actor: visitor, deadlineMs });
      return answer.catch((error: DomainError) => error.code);
    };
    const requestCount = (service: ServiceName) => raw.xLen(`{${service}}:requests`);
    // The value is how many requests each request stream may hold.
    const markAlive = (service: ServiceName) => raw.set(`{${service}}:alive`, '100');
    // After this call, Redis knows the script that adds requests, so each request takes one command.
    expect(await call(contentQuery, 50)).toBe('TIMEOUT');

    void call(place);
    // Redis answers the commands of a connection in order, so by now it has found no replica, and the call of `place` waits for its retry.
    expect(await client.hasLiveReplica('orders')).toBe(false);
    await gate.shut();
    await markAlive('orders');
    await gate.open();
    await eventually(async () => expect(await requestCount('orders')).toBe(1));

    // This call is retried later than `place` would be. Once its request has been added, no retry of `place` is left.
    void call(contentQuery);
    expect(await client.hasLiveReplica('content')).toBe(false);
    await markAlive('content');
    await eventually(async () => expect(await requestCount('content')).toBe(1));
    expect(await requestCount('orders')).toBe(1);
  });
});
