import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { broadcasts } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { Broadcaster } from '../src/index.js';
import { Harness } from './fixture/harness.js';

describe('broadcast', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('reaches every receiver; garbage and a failing listener do no harm', async () => {
    const make = async () => {
      const one = new Broadcaster({ redisUrl: harness.redis.url, name: 'spec', logger: harness.logger });
      await one.connect();
      return one;
    };
    const [sender, first, second] = await Promise.all([make(), make(), make()]);
    const heard: string[] = [];
    await first.subscribe(broadcasts.sessionsEnded, () => {
      throw new Error('a listener failed');
    });
    await first.subscribe(broadcasts.sessionsEnded, (payload) => heard.push(`first ${payload.accountId}`));
    await second.subscribe(broadcasts.sessionsEnded, (payload) => heard.push(`second ${payload.accountId}`));
    const raw = await harness.raw();
    await raw.publish('broadcast:identity.sessionsEnded', 'not JSON');
    await raw.publish('broadcast:identity.sessionsEnded', 'null');
    await sender.publish(broadcasts.sessionsEnded, { accountId: 'a' });
    await eventually(() => expect([...heard].sort()).toEqual(['first a', 'second a']));
    await Promise.all([sender.close(), first.close(), second.close()]);
  });
});
