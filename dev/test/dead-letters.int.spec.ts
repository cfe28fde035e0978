import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient } from 'redis';
import { accountDeleted, type EventPayload } from '#libs/contracts';
import { eventually, freshRedis, type TestRedis } from '#libs/testing';
import { EventPublisher, OnEvent, StreamsServer } from '#libs/transport';
import { run } from '../commands/dead-letters/command.js';
import { temporaryDataDir } from './launcher.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('npm run dead-letters', () => {
  const dataDir = temporaryDataDir();
  const heard: string[] = [];
  let isBroken = false;
  let redis: TestRedis;
  let publisher: EventPublisher;
  let close: () => Promise<void>;

  @Controller()
  class Follower {
    @OnEvent(accountDeleted)
    follow({ accountId }: EventPayload<typeof accountDeleted>) {
      if (isBroken) throw new Error('the table is full');
      heard.push(accountId);
    }
  }
  @Module({ controllers: [Follower] })
  class FollowerModule {}

  async function command(...args: string[]) {
    const [output, errors]: [string[], string[]] = [[], []];
    const code = await run(args, {
      root: dataDir.path,
      env: { REDIS_URL: redis.url },
      print: (line) => output.push(line),
      printError: (line) => errors.push(line),
    });
    return { code, output, errors };
  }

  const publish = (id: string, payload: object) =>
    publisher.publish([{ id, event: accountDeleted.event, payload, occurredAt: new Date() }]);

  async function ids(): Promise<string[]> {
    const { code, output } = await command('list', 'orders');
    expect(code).toBe(0);
    return output.map((line) => line.split('  ')[0]!).filter((id) => /^\d/.test(id));
  }

  /** Returns the id of the dead letter that `cause` leads to. */
  async function deadLetterFrom(cause: () => Promise<unknown>): Promise<string> {
    const before = await ids();
    await cause();
    return eventually(async () => {
      const found = (await ids()).filter((id) => !before.includes(id));
      expect(found).toHaveLength(1);
      return found[0]!;
    });
  }

  /** Publishes an event whose handler fails. Returns the dead letter's id. */
  async function makeDeadLetter(accountId: string): Promise<string> {
    isBroken = true;
    const id = await deadLetterFrom(() => publish(`event of ${accountId}`, { accountId, email: null }));
    isBroken = false;
    return id;
  }

  /** Returns the dead letter's id. */
  async function makeUnreadableDeadLetter(): Promise<string> {
    const raw = await createClient({ url: redis.url }).connect();
    const id = await deadLetterFrom(() => raw.xAdd('{orders}:requests', '*', { m: 'no JSON' }));
    raw.destroy();
    return id;
  }

  beforeAll(async () => {
    redis = await freshRedis();
    const strategy = new StreamsServer({
      service: 'orders',
      redisUrl: redis.url,
      takeOverAfterMs: 100,
      heartbeatMs: 20,
      maxEventDeliveries: 1,
      logger: quiet,
    });
    const app = await NestFactory.createMicroservice(FollowerModule, { strategy, logger: false });
    await app.listen();
    publisher = new EventPublisher({ redisUrl: redis.url, name: 'spec', logger: quiet });
    await publisher.connect();
    close = async () => {
      await publisher.close();
      await app.close();
      await redis.stop();
    };
  });
  afterAll(async () => {
    await close();
    dataDir.remove();
  });
  beforeEach(() => command('drop', 'orders', 'all'));

  test('counts dead letters for each service, lists them and shows one with its message', async () => {
    const id = await makeDeadLetter('ann');
    expect((await command()).output).toEqual([
      'content: 0',
      'orders: 1',
      'projects: 0',
      'messaging: 0',
      'identity: 0',
    ]);
    const { output } = await command('list', 'orders');
    expect(output).toEqual([
      expect.stringContaining('identity.accountDeleted  too-many-deliveries (deliveries:'),
    ]);
    expect((await command('list', 'orders', id)).output).toEqual(['orders has no further dead letters.']);
    const shown = JSON.parse((await command('show', 'orders', id)).output.join('')) as object;
    expect(shown).toMatchObject({
      id,
      reason: 'too-many-deliveries',
      replayable: true,
      message: { id: 'event of ann', payload: { accountId: 'ann', email: null } },
    });
  });

  test('replays one, or all that can be replayed', async () => {
    const [first] = [await makeDeadLetter('ben'), await makeDeadLetter('cat'), await makeDeadLetter('dan')];
    const unreadable = await makeUnreadableDeadLetter();
    expect(await command('replay', 'orders', first)).toMatchObject({ code: 0, output: ['Replayed 1.'] });
    await eventually(() => expect(heard).toContain('ben'));
    const { output } = await command('replay', 'orders', 'all');
    expect(output).toEqual(['Replayed 2.', expect.stringMatching(/^1 cannot be replayed: /)]);
    await eventually(() => expect(heard).toEqual(expect.arrayContaining(['cat', 'dan'])));
    expect(await ids()).toEqual([unreadable]);
    expect(await command('replay', 'orders', unreadable)).toMatchObject({
      code: 1,
      errors: [expect.stringContaining(`${unreadable} cannot be replayed`)],
    });
  });

  test('drops one, or all', async () => {
    const [first, second] = [await makeDeadLetter('eve'), await makeUnreadableDeadLetter()];
    expect((await command('drop', 'orders', first)).output).toEqual(['Dropped 1.']);
    expect(await ids()).toEqual([second]);
    expect((await command('drop', 'orders', 'all')).output).toEqual(['Dropped 1.']);
    expect((await command('list', 'orders')).output).toEqual(['orders has no dead letters.']);
    expect(heard).not.toContain('eve');
  });

  test.each([
    ['show an unknown id', ['show', 'orders', '1-0'], /^orders has no dead letter 1-0\.$/],
    ['replay an unknown id', ['replay', 'orders', '1-0'], /^orders has no dead letter 1-0\.$/],
    ['drop an unknown id', ['drop', 'orders', '1-0'], /^orders has no dead letter 1-0\.$/],
    [
      'show something that is not an id',
      ['show', 'orders', 'all'],
      /^all is not the id of a dead letter: ids look like/,
    ],
    [
      'drop something that is not an id',
      ['drop', 'orders', 'x'],
      /^x is not the id of a dead letter: ids look like/,
    ],
    [
      'list from something that is not an id',
      ['list', 'orders', '(1'],
      /^\(1 is not the id of a dead letter/,
    ],
    [
      'name an unknown service',
      ['list', 'gateway'],
      /^Usage: .*\bcontent, orders, projects, messaging, identity\b/s,
    ],
    ['leave out the id', ['drop', 'orders'], /^Usage: /],
    ['give an unknown subcommand', ['bury', 'orders', '1-0'], /^Usage: /],
  ])('prints an error to users who %s', async (_who, args, expected) => {
    const { code, output, errors } = await command(...args);
    expect({ code, output }).toEqual({ code: 1, output: [] });
    expect(errors).toEqual([expect.stringMatching(expected)]);
  });

  test.each([
    [
      'the site is not running',
      {},
      /^The site with the data in .+ is not running\. Start it with npm start\.$/,
    ],
    ['Redis does not answer', { REDIS_URL: 'redis://127.0.0.1:1' }, /^REDIS_URL: Redis at 127\.0\.0\.1:1 /],
  ])('prints an error if %s', async (_when, env, expected) => {
    const errors: string[] = [];
    const options = { root: dataDir.path, env, print: () => undefined };
    expect(await run([], { ...options, printError: (line) => errors.push(line) })).toBe(1);
    expect(errors).toEqual([expect.stringMatching(expected)]);
  });
});
