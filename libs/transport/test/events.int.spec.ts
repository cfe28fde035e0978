import { Controller, Module } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { EventPayload } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { DeadLetters, EventContext, EventPublisher, OnEvent, type OutgoingEvent } from '../src/index.js';
import { itemCounted } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

type Counted = EventPayload<typeof itemCounted>;
type Listener = (payload: Counted, context: EventContext) => unknown;

/** The module of a service in which each listener follows the events with its own handler. */
function follower(...listeners: Listener[]): object {
  const controllers = listeners.map((listener) => {
    @Controller()
    class Follower {
      @OnEvent(itemCounted)
      follow(payload: Counted, context: EventContext) {
        return listener(payload, context);
      }
    }
    return Follower;
  });
  @Module({ controllers })
  class FollowerModule {}
  return FollowerModule;
}

const counted = (version: number): OutgoingEvent => ({
  id: `event ${version}`,
  event: 'content.itemCounted',
  payload: { item: 'item', version, count: version * 10 },
  occurredAt: new Date('2026-11-21T10:00:00Z'),
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
});

const quick = { takeOverAfterMs: 100, heartbeatMs: 20 };

describe('events', () => {
  let harness: Harness;
  let publisher: EventPublisher;
  beforeEach(async () => {
    harness = await Harness.start();
    publisher = new EventPublisher({ redisUrl: harness.redis.url, name: 'spec', logger: harness.logger });
    await publisher.connect();
  });
  afterEach(async () => {
    await publisher.close();
    await harness.close();
  });

  test('are delivered once to each service that follows them, not to each replica, even if the service starts later', async () => {
    await publisher.publish([counted(1), counted(2)]);
    const heard: string[] = [];
    const listen = (name: string) => (payload: Counted) => heard.push(`${name} ${payload.version}`);
    await harness.serve(follower(listen('orders')));
    await harness.serve(follower(listen('orders')));
    await harness.serve(follower(listen('messaging')), { service: 'messaging' });
    await publisher.publish([counted(3)]);
    const all = ['messaging 1', 'messaging 2', 'messaging 3', 'orders 1', 'orders 2', 'orders 3'];
    await eventually(() => expect([...heard].sort()).toEqual(all));
    const raw = await harness.raw();
    await eventually(async () => {
      const groups = await raw.xInfoGroups('{content}:events');
      expect(groups.map(({ pending, lag }) => ({ pending, lag }))).toEqual([
        { pending: 0, lag: 0 },
        { pending: 0, lag: 0 },
      ]);
    });
    expect(heard).toHaveLength(6);
  });

  test('are delivered with their id, time and trace context', async () => {
    const contexts: EventContext[] = [];
    await harness.serve(follower((_payload, context) => contexts.push(context)));
    await publisher.publish([counted(1)]);
    await eventually(() => expect(contexts).toHaveLength(1));
    expect(contexts[0]).toMatchObject({
      eventId: 'event 1',
      occurredAt: new Date('2026-11-21T10:00:00Z'),
      traceparent: counted(1).traceparent,
      deliveries: 1,
    });
  });

  test('an event has the same id in each delivery, also when it is sent twice and its handler fails', async () => {
    const deliveredIds: string[] = [];
    await harness.serve(
      follower((_payload, { eventId, deliveries }) => {
        deliveredIds.push(eventId);
        if (deliveries === 1) throw new Error('not now');
      }),
      quick,
    );
    await publisher.publish([counted(1), counted(1)]);
    await eventually(() => expect(deliveredIds).toEqual(Array(4).fill('event 1')));
  });

  test('an event whose handler fails is delivered again, and does not delay later ones', async () => {
    const arrivals: Counted[] = [];
    await harness.serve(
      follower((payload, { deliveries }) => {
        if (payload.version === 2 && deliveries < 3) throw new Error('not now');
        arrivals.push(payload);
      }),
      quick,
    );
    await publisher.publish([4, 2, 5, 1, 3].map(counted));
    await eventually(() => expect(arrivals).toHaveLength(5));
    expect(arrivals.at(-1)).toEqual({ item: 'item', version: 2, count: 20 });
  });

  test('two handlers of one event both get it; if one fails, both get it again', async () => {
    const heard: string[] = [];
    await harness.serve(
      follower(
        (_payload, { deliveries }) => heard.push(`first ${deliveries}`),
        (_payload, { deliveries }) => {
          heard.push(`second ${deliveries}`);
          if (deliveries === 1) throw new Error('not now');
        },
      ),
      quick,
    );
    await publisher.publish([counted(1)]);
    await eventually(() => expect([...heard].sort()).toEqual(['first 1', 'first 2', 'second 1', 'second 2']));
  });

  test('a poison event becomes a dead letter, is listed, and is replayed once its handler is fixed', async () => {
    let broken = true;
    const heard: number[] = [];
    const outcomes: string[] = [];
    await harness.serve(
      follower(({ version }) => {
        if (broken) throw new Error('cannot cope');
        heard.push(version);
      }),
      {
        ...quick,
        maxEventDeliveries: 3,
        observer: { onEvent: (_event, _ms, outcome) => outcomes.push(outcome) },
      },
    );
    const letters = new DeadLetters({ redisUrl: harness.redis.url, logger: harness.logger });
    await letters.connect();
    await publisher.publish([counted(1)]);
    await eventually(async () => expect(await letters.count('orders')).toBe(1));
    // After three deliveries that failed, the fourth does not call the handler.
    await eventually(() => expect(outcomes).toEqual(['RETRY', 'RETRY', 'RETRY', 'DEAD']));
    const [letter] = await letters.list('orders');
    expect(letter).toMatchObject({
      reason: 'too-many-deliveries',
      stream: '{content}:events',
      pattern: 'content.itemCounted',
      requestId: 'event 1',
      replayable: true,
    });
    broken = false;
    expect(await letters.replay('orders', letter!.id)).toBe(true);
    await eventually(() => expect(heard).toEqual([1]));
    expect(await letters.count('orders')).toBe(0);
    expect(await letters.replay('orders', letter!.id)).toBe(false);
    await letters.close();
  });

  test('a payload that breaks its contract is a dead letter immediately; an event without a handler is skipped', async () => {
    const heard: unknown[] = [];
    const { server } = await harness.serve(follower((payload) => heard.push(payload)));
    await publisher.publish([
      { ...counted(1), payload: { item: 7 } },
      { ...counted(2), event: 'content.somethingElse' },
      counted(3),
    ]);
    await eventually(() => expect(heard).toHaveLength(1));
    await eventually(async () =>
      expect(await server.readQueueStats()).toMatchObject({ deadLetters: 1, lag: { content: 0 } }),
    );
  });

  test('are trimmed by age when new ones arrive', async () => {
    const forgetful = new EventPublisher({
      redisUrl: harness.redis.url,
      name: 'forgetful',
      keepMs: 50,
      logger: harness.logger,
    });
    await forgetful.connect();
    await forgetful.publish(Array.from({ length: 500 }, (_, index) => counted(index)));
    const raw = await harness.raw();
    await eventually(async () => {
      await forgetful.publish([counted(1)]);
      expect(await raw.xLen('{content}:events')).toBeLessThan(250);
    });
    await forgetful.close();
  });
});
