import { Controller, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { event } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { DeadLetters, EventPublisher, OnEvent } from '../src/index.js';
import { itemCounted } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

const linkMade = event('content.linkMade', z.object({ to: z.string(), link: z.string() }), {
  secret: ['link'],
  follower: 'orders',
});
const secret = 'https://example.com/?token=correct-horse';

function followerModule(follow: (payload: { to: string; link: string }) => void): object {
  @Controller()
  class Follower {
    @OnEvent(linkMade)
    follow(payload: { to: string; link: string }) {
      follow(payload);
    }
    @OnEvent(itemCounted)
    count() {}
  }
  @Module({ controllers: [Follower] })
  class FollowerModule {}
  return FollowerModule;
}

describe('an event with secrets', () => {
  let harness: Harness;
  let publisher: EventPublisher;
  const publish = (event: string, payload: object) =>
    publisher.publish([{ id: event, event, payload, occurredAt: new Date() }]);
  const eventsInStream = async () =>
    JSON.stringify(await (await harness.raw()).xRange('{content}:events', '-', '+'));

  beforeAll(async () => {
    harness = await Harness.start();
    publisher = new EventPublisher({ redisUrl: harness.redis.url, name: 'spec', logger: harness.logger });
    await publisher.connect();
  });
  afterAll(async () => {
    await publisher.close();
    await harness.close();
  });

  test('is deleted from the stream once its follower has handled it; events without secrets stay', async () => {
    const heard: string[] = [];
    const { close } = await harness.serve(followerModule(({ link }) => heard.push(link)));
    await publish('content.itemCounted', { item: 'a', version: 1, count: 1 });
    await publish('content.linkMade', { to: 'ann', link: secret });
    await eventually(() => expect(heard).toEqual([secret]));
    await eventually(async () => expect(await eventsInStream()).not.toContain(secret));
    expect(await eventsInStream()).toContain('itemCounted');
    await close();
  });

  test('that cannot be handled becomes a dead letter without the secrets, which are not logged either', async () => {
    const letters = new DeadLetters({ redisUrl: harness.redis.url, logger: harness.logger });
    await letters.connect();
    const failing = followerModule(({ to }) => {
      throw new Error(`cannot reach ${to}`);
    });
    const { close } = await harness.serve(failing, {
      takeOverAfterMs: 100,
      heartbeatMs: 20,
      maxEventDeliveries: 1,
    });
    await publish('content.linkMade', { to: 'ann', link: secret });
    // Does not match the schema, so it never gets to the handler.
    await publish('content.linkMade', { to: 7, link: secret });
    await eventually(async () => expect(await letters.count('orders')).toBe(2));
    for (const letter of await letters.list('orders')) {
      expect(letter.replayable).toBe(false);
      expect(JSON.parse(letter.message)).toMatchObject({ payload: { link: '[redacted]' } });
    }
    await eventually(async () => expect(await eventsInStream()).not.toContain(secret));
    expect(JSON.stringify(harness.logged)).toContain('cannot reach ann');
    expect(JSON.stringify(harness.logged)).not.toContain(secret);
    await Promise.all([letters.close(), close()]);
  });

  test.each([
    ['cannot be read as an event', { id: 'e', event: 'content.linkMade', payload: { link: secret } }],
    [
      'names an event of another owner',
      {
        id: 'e',
        event: 'identity.linkMade',
        payload: { link: secret },
        occurredAt: new Date().toISOString(),
      },
    ],
  ])('is also deleted from the stream if its entry %s', async (_what, entry) => {
    const { close } = await harness.serve(followerModule(() => undefined));
    const raw = await harness.raw();
    const before = await raw.xLen('{orders}:dead');
    await raw.xAdd('{content}:events', '*', { m: JSON.stringify(entry) });
    await eventually(async () => expect(await raw.xLen('{orders}:dead')).toBe(before + 1));
    await eventually(async () => expect(await eventsInStream()).not.toContain(secret));
    expect(JSON.stringify(await raw.xRange('{orders}:dead', '-', '+'))).not.toContain(secret);
    await close();
  });

  test('has one follower: any other service that follows it does not start', async () => {
    const elsewhere = harness.serve(
      followerModule(() => undefined),
      { service: 'messaging' },
    );
    await expect(elsewhere).rejects.toThrow('content.linkMade is for orders only');
  });
});
