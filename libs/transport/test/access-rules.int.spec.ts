import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Module } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Actor,
  broadcasts,
  type DomainError,
  event,
  serviceNames,
  system,
  visitor,
} from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { Broadcaster, DeadLetters, EventPublisher, OnEvent, type Outcome } from '../src/index.js';
import { fixtureContract, itemCounted } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

/** The users of `docker/redis/users.acl`, with test passwords, without `default`: the test's Redis has its own. */
function usersInAclFile(): string[] {
  const file = readFileSync('docker/redis/users.acl', 'utf8');
  const lines = file.replace(/\$\{(\w+)_REDIS_PASSWORD\}/g, (_, user: string) =>
    passwordOf(user.toLowerCase()),
  );
  return lines.split('\n').filter((line) => line !== '' && !line.startsWith('user default'));
}
const passwordOf = (user: string) => `${user}-password`;

/** Over a plain socket, because a Redis client would keep trying to sign in. */
async function rawReplies(port: number, commands: string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  socket.write([...commands, 'QUIT', ''].join('\r\n'));
  return (await text(socket)).trimEnd().split('\r\n');
}

describe('with the users of docker/redis/users.acl', () => {
  let harness: Harness;
  const urlOf = (user: string) => {
    const url = new URL(harness.redis.url);
    return Object.assign(url, { username: user, password: passwordOf(user) }).href;
  };
  const logged = (message: string) => harness.logged.filter((line) => line.message === message);
  const refusals = () => harness.logged.filter((line) => JSON.stringify(line).includes('NOPERM'));

  beforeAll(async () => {
    harness = await Harness.start(usersInAclFile);
  });
  afterAll(() => harness.close());

  test('Redis lets services and a gateway make calls, publish events and send broadcasts', async () => {
    const options = { redisUrl: urlOf('orders'), takeOverAfterMs: 200, heartbeatMs: 40 };
    const leaving = await harness.replica('a', { ...options, drainTimeoutMs: 50 });
    const client = await harness.client({ redisUrl: urlOf('gateway'), caller: 'gateway' });
    const call = client.call(fixtureContract.wait, { ms: 0, hangAt: 'a' }, { actor: visitor });
    await eventually(() => expect(leaving.runs).toHaveLength(1));
    const staying = await harness.replica('b', options);
    await leaving.close();
    expect(await call).toEqual({ replica: 'b' });
    expect(await client.hasLiveReplica('orders')).toBe(true);
    expect(await staying.server.readQueueStats()).toMatchObject({ length: 0 });
    const messaging = await harness.client({ redisUrl: urlOf('messaging'), caller: 'messaging' });
    expect(await messaging.call(fixtureContract.ping, {}, { actor: system })).toEqual({ text: 'pong' });
    await staying.close();

    const publisher = new EventPublisher({
      redisUrl: urlOf('orders'),
      name: 'spec',
      logger: harness.logger,
    });
    await publisher.connect();
    await publisher.publish([{ id: 'e', event: 'orders.placed', payload: {}, occurredAt: new Date() }]);
    await publisher.redisRunId();
    const [receiver, sender] = ['gateway', 'identity'].map(
      (user) => new Broadcaster({ redisUrl: urlOf(user), name: 'spec', logger: harness.logger }),
    ) as [Broadcaster, Broadcaster];
    await Promise.all([receiver.connect(), sender.connect()]);
    const heard: unknown[] = [];
    await receiver.subscribe(broadcasts.adminsChanged, (payload) => heard.push(payload));
    await sender.publish(broadcasts.adminsChanged, {});
    await eventually(() => expect(heard).toEqual([{}]));
    await Promise.all([publisher.close(), receiver.close(), sender.close()]);
    expect(refusals()).toEqual([]);
  });

  test.each([
    ['gateway', 'XRANGE', '{orders}:requests'],
    ['gateway', 'XADD', '{orders}:events'],
    ['gateway', 'XADD', '{orders}:requests:messaging'],
    ['content', 'XADD', '{orders}:requests'],
    ['content', 'XADD', '{orders}:events'],
    ['orders', 'XADD', '{identity}:requests'],
    ['orders', 'XADD', '{identity}:requests:messaging'],
    ['orders', 'XADD', '{content}:events'],
    ['orders', 'XRANGE', '{content}:requests:orders'],
    ['messaging', 'XADD', '{identity}:requests'],
    ['messaging', 'XADD', '{orders}:requests'],
    ['messaging', 'XADD', '{identity}:events'],
    ['messaging', 'XDEL', '{orders}:events'],
    ['messaging', 'XDEL', '{content}:events'],
    ['orders', 'XDEL', '{identity}:events'],
    ['messaging', 'XRANGE', '{identity}:requests'],
    ['messaging', 'XDEL', '{identity}:events'],
    ['messaging', 'PUBLISH', 'reply:gateway:identity:some'],
    ['messaging', 'PUBLISH', 'broadcast:identity.adminsChanged'],
    ['messaging', 'SUBSCRIBE', 'reply:gateway:identity:some'],
    ['projects', 'XADD', '{orders}:requests'],
    ['projects', 'XADD', '{orders}:events'],
    ['projects', 'XRANGE', '{mail}:events'],
    ['identity', 'XRANGE', '{mail}:events'],
    ['projects', 'XDEL', '{identity}:events'],
    ['projects', 'XDEL', '{mail}:events'],
    ['projects', 'XACK', '{mail}:events'],
    ['messaging', 'XADD', '{projects}:requests'],
    ['orders', 'XADD', '{projects}:events'],
    ['identity', 'XRANGE', '{messaging}:requests'],
    ['identity', 'FLUSHALL', ''],
    ['orders', 'KEYS', '*'],
  ])('%s may not %s %s', async (user, command, key) => {
    const raw = await harness.raw();
    const rest =
      {
        XRANGE: ['-', '+'],
        XADD: ['*', 'm', '{}'],
        PUBLISH: ['{}'],
        XDEL: ['1-1'],
        XACK: ['projects', '1-1'],
      }[command] ?? [];
    const args = [command, ...(key ? [key] : []), ...rest];
    const reply = await raw.sendCommand(['ACL', 'DRYRUN', user, ...args]);
    expect(reply).toMatch(/no permissions|permissions to|doesn't have/);
  });

  test.each(['{mail}:events', '{messaging}:requests'])(
    'messaging may delete entries from %s',
    async (stream) => {
      const raw = await harness.raw();
      expect(await raw.sendCommand(['ACL', 'DRYRUN', 'messaging', 'XDEL', stream, '1-1'])).toBe('OK');
    },
  );

  test('clients without the right password are refused', async () => {
    const replies = await rawReplies(harness.redis.port, [
      'XADD {orders}:requests * m {}',
      'PUBLISH broadcast:identity.adminsChanged {}',
      'AUTH gateway guessed',
      'XADD {orders}:requests * m {}',
    ]);
    expect(replies.map((line) => line.split(' ')[0])).toEqual([
      '-NOAUTH',
      '-NOAUTH',
      '-WRONGPASS',
      '-NOAUTH',
      '+OK',
    ]);
  });

  describe('a compromised service', () => {
    let replica: Awaited<ReturnType<Harness['replica']>>;
    let messaging: Awaited<ReturnType<Harness['raw']>>;
    const outcomes: [string, Outcome][] = [];
    const replyChannel = `reply:messaging:orders:${randomUUID()}`;
    const heard: unknown[] = [];
    const request = (changes: object) => ({
      ...{ id: randomUUID(), call: 'c', pattern: 'orders.ping', input: {}, actor: system as Actor },
      ...{ replyTo: replyChannel, ttlMs: 10_000 },
      ...changes,
    });
    const put = (stream: string, changes: object) =>
      messaging.xAdd(stream, '*', { m: JSON.stringify(request(changes)) });

    beforeAll(async () => {
      replica = await harness.replica('a', {
        redisUrl: urlOf('orders'),
        observer: { onRequest: (pattern, _ms, outcome) => outcomes.push([pattern, outcome]) },
      });
      messaging = await harness.raw(urlOf('messaging'));
      const listener = await harness.raw(urlOf('messaging'));
      await listener.subscribe(replyChannel, (message) => heard.push(JSON.parse(message)));
    });
    beforeEach(() => {
      for (const list of [heard, outcomes, replica.runs, harness.logged]) list.length = 0;
    });

    test('cannot write to the gateway’s request stream', async () => {
      await expect(put('{orders}:requests', { actor: actors.admin })).rejects.toThrow(/^NOPERM/);
      const script = "return redis.call('XADD', '{orders}:requests', '*', 'm', '{}')";
      await expect(messaging.eval(script)).rejects.toThrow(/NOPERM|can't access|No permissions/i);
    });

    test.each([
      ['in the name of an admin', { actor: actors.admin }, 'orders.ping'],
      ['what only the gateway may call', { pattern: 'orders.adminsOnly' }, 'orders.adminsOnly'],
      [
        'as an admin what only admins may call',
        { pattern: 'orders.adminsOnly', actor: actors.admin },
        'orders.adminsOnly',
      ],
      ['what no service handles', { pattern: 'orders.none' }, 'unknown'],
    ])('cannot call %s', async (_what, changes, pattern) => {
      await put('{orders}:requests:messaging', changes);
      await eventually(() =>
        expect(heard).toEqual([{ call: 'c', error: expect.objectContaining({ code: 'FORBIDDEN' }) }]),
      );
      expect(replica.runs).toEqual([]);
      expect(outcomes).toEqual([[pattern, 'REFUSED']]);
      expect(logged('Refused a call that the service may not make')).toMatchObject([
        { level: 'error', fields: { callingService: 'messaging', pattern } },
      ]);
    });

    test('cannot have an answer sent to another caller’s channel', async () => {
      const others: string[] = [];
      const othersChannel = 'reply:gateway:orders:some';
      const listener = await harness.raw();
      await listener.subscribe(othersChannel, (message) => others.push(message));
      await put('{orders}:requests:messaging', { replyTo: othersChannel });
      await eventually(() => expect(outcomes).toEqual([['orders.ping', 'REFUSED']]));
      expect(replica.runs).toEqual([]);
      // Messages on a channel arrive in order, so an earlier one would be in the list.
      await (await harness.raw()).publish(othersChannel, 'the last');
      await eventually(() => expect(others).toContain('the last'));
      expect(others).toEqual(['the last']);
    });

    test('cannot answer for another service', async () => {
      const client = await harness.client({ redisUrl: urlOf('gateway'), caller: 'gateway' });
      const call = client.call(fixtureContract.wait, { ms: 0, hangAt: 'a' }, { actor: visitor });
      const outcome = call.catch((error: DomainError) => error.code);
      await eventually(() => expect(replica.runs).toHaveLength(1));
      // A client's first call has the id '0'.
      const forged = JSON.stringify({ call: '0', value: { replica: 'messaging' } });
      const raw = await harness.raw();
      const channels = await raw.pubSubChannels('reply:gateway:*');
      expect(new Set(channels.map((channel) => channel.split(':')[2]))).toEqual(new Set(serviceNames));
      for (const channel of channels) {
        const published = messaging.publish(channel, forged);
        if (channel.includes(':messaging:')) await published;
        else await expect(published).rejects.toThrow(/^NOPERM/);
      }
      await eventually(() =>
        expect(logged('Ignored the reply of a service that was not asked')).toHaveLength(1),
      );
      await client.close();
      expect(await outcome).toBe('UNAVAILABLE');
    });

    test('cannot make an operator replay a forged request', async () => {
      const letters = new DeadLetters({ redisUrl: harness.redis.url, logger: harness.logger });
      await letters.connect();
      const message = JSON.stringify(request({ pattern: 'orders.adminsOnly', actor: actors.admin }));
      const letter = { reason: 'too-many-deliveries', stream: '{orders}:requests', message, replayable: '1' };
      const id = await messaging.xAdd('{messaging}:dead', '*', letter);
      expect(await letters.find('messaging', id)).toMatchObject({ replayable: false });
      expect(await letters.replay('messaging', id)).toBe(false);
      await letters.close();
    });

    test.each([
      ['identity.accountDeleted', 'with an id that no entry has', '{identity}:events'],
      ['identity.accountDeleted', 'with the id of a genuine entry', '{identity}:events'],
      ['mail.requested', 'with an id that no entry has', '{mail}:events'],
      // A key that only resembles the name of an event stream.
      ['identity.accountDeleted', 'with an id that no entry has', '{identity}:events/'],
    ])('cannot make an operator replay a forged %s (%s) on %s', async (name, which, stream) => {
      const letters = new DeadLetters({ redisUrl: harness.redis.url, logger: harness.logger });
      await letters.connect();
      const messageWith = (payload: object) =>
        JSON.stringify({ id: 'e', event: name, payload, occurredAt: new Date().toISOString() });
      const owner = await harness.raw(urlOf('identity'));
      const entryId =
        which === 'with an id that no entry has'
          ? '1-1'
          : await owner.xAdd(stream, '*', { m: messageWith({ accountId: 'a' }) });
      const raw = await harness.raw();
      const before = await raw.xLen(stream);
      const letter = { reason: 'too-many-deliveries', stream, entryId, replayable: '1' };
      const id = await messaging.xAdd('{messaging}:dead', '*', {
        ...letter,
        message: messageWith({ accountId: 'another' }),
      });
      expect(await letters.find('messaging', id)).toMatchObject({ replayable: false });
      expect(await letters.replay('messaging', id)).toBe(false);
      expect(await raw.xLen(stream)).toBe(before);
      await letters.close();
    });
  });

  test('an event is accepted only on the stream of its owner', async () => {
    const heard: string[] = [];
    const contentEvent = event('content.itemCounted', itemCounted.payload);
    const identityEvent = event('identity.itemCounted', itemCounted.payload);
    @Controller()
    class Follower {
      @OnEvent(contentEvent)
      one({ item }: { item: string }) {
        heard.push(`content: ${item}`);
      }
      @OnEvent(identityEvent)
      other({ item }: { item: string }) {
        heard.push(`identity: ${item}`);
      }
    }
    @Module({ controllers: [Follower] })
    class FollowerModule {}
    const { close } = await harness.serve(FollowerModule, { redisUrl: urlOf('orders') });
    const content = await harness.raw(urlOf('content'));
    const addEvent = (name: string, item: string) =>
      content.xAdd('{content}:events', '*', {
        m: JSON.stringify({
          id: item,
          event: name,
          payload: { item, version: 1, count: 1 },
          occurredAt: new Date().toISOString(),
        }),
      });
    await addEvent('identity.itemCounted', 'forged');
    await addEvent('content.itemCounted', 'genuine');
    await eventually(() => expect(heard).toEqual(['content: genuine']));
    const raw = await harness.raw();
    await eventually(async () => expect(await raw.xLen('{orders}:dead')).toBe(1));
    expect(heard).toEqual(['content: genuine']);
    await close();
  });
});
