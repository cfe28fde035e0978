import { Controller, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { command, type DomainError, query, type ServiceName, visitor } from '#libs/contracts';
import { eventually, tcpGate, type TcpGate } from '#libs/testing';
import { Handles, RequestContext } from '../src/index.js';
import { Harness } from './fixture/harness.js';

const place = command({
  pattern: 'orders.place',
  access: 'public',
  input: z.object({}),
  output: z.object({ order: z.int() }),
});

const another = query({
  pattern: 'content.another',
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

describe('lost reply', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('a caller that was disconnected asks again with the same id and gets the stored reply', async () => {
    const gate = await tcpGate(harness.redis.url);
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
    gate = await tcpGate(harness.redis.url);
  });
  afterAll(async () => {
    await harness.close();
    await gate.close();
  });

  test('is sent once after a reconnect: its pending retry does not send it again', async () => {
    const client = await harness.client({ redisUrl: gate.url, outageToleranceMs: 10_000 });
    const raw = await harness.raw();
    const call = (contract: typeof place | typeof another, deadlineMs = 60_000) => {
      const answer = client.call(contract, {}, { actor: visitor, deadlineMs });
      return answer.catch((error: DomainError) => error.code);
    };
    const added = (service: ServiceName) => raw.xLen(`{${service}}:requests`);
    const appear = (service: ServiceName) => raw.set(`{${service}}:alive`, '100');
    // From now on, Redis knows the script that adds requests, so a request takes one command: no `EVAL` follows its `EVALSHA`.
    expect(await call(another, 50)).toBe('TIMEOUT');

    void call(place);
    // Redis has answered about the call by now, because it answers each connection in order.
    expect(await client.isServed('orders')).toBe(false);
    await gate.shut();
    await appear('orders');
    await gate.open();
    await eventually(async () => expect(await added('orders')).toBe(1));

    // The retry of this call is due after that of the first one, so once this call is added, the first one will not be added again.
    void call(another);
    expect(await client.isServed('content')).toBe(false);
    await appear('content');
    await eventually(async () => expect(await added('content')).toBe(1));
    expect(await added('orders')).toBe(1);
  });
});
