import { Controller, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { command, visitor } from '#libs/contracts';
import { eventually, tcpGate } from '#libs/testing';
import { Handles, RequestContext } from '../src/index.js';
import { Harness } from './fixture/harness.js';

const place = command({
  pattern: 'orders.place',
  access: 'public',
  input: z.object({}),
  output: z.object({ order: z.int() }),
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
