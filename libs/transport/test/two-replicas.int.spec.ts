import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { command, visitor } from '#libs/contracts';
import { freshRedis, type TestRedis } from '#libs/testing';
import { Handles, RequestContext, RpcClient, StreamsServer } from '#libs/transport';

const add = command({
  pattern: 'orders.add',
  access: 'public',
  input: z.object({ a: z.number() }),
  output: z.number(),
});

@Controller()
class Adder {
  @Handles(add)
  add(@Payload() input: { a: number }, @Ctx() context: RequestContext) {
    return input.a + context.deliveries;
  }
}

describe('smoke', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await freshRedis();
  });
  afterAll(() => redis.stop());
  test('answers', async () => {
    const module = await Test.createTestingModule({ controllers: [Adder] }).compile();
    const app = module.createNestMicroservice({
      strategy: new StreamsServer({ service: 'orders', redisUrl: redis.url }),
    });
    await app.listen();
    const client = new RpcClient({ redisUrl: redis.url, caller: 'test' });
    await client.connect();
    expect(await client.call(add, { a: 2 }, { actor: visitor })).toBe(3);
    await expect(client.call(add, { a: 'x' as unknown as number }, { actor: visitor })).rejects.toMatchObject(
      { code: 'INVALID_INPUT' },
    );
    await app.close();
    await client.close();
  });
});
