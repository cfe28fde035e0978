import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { DeadLetters } from '../src/index.js';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

const password = 'correct horse battery staple';

describe('poison message', () => {
  let harness: Harness;
  let letters: DeadLetters;
  beforeAll(async () => {
    harness = await Harness.start();
    letters = new DeadLetters({ redisUrl: harness.redis.url, logger: harness.logger });
    await letters.connect();
  });
  afterAll(async () => {
    await letters.close();
    await harness.close();
  });

  test('a request that crashes its replicas becomes a dead letter, and another request is answered', async () => {
    const options = { takeOverAfterMs: 400, heartbeatMs: 80, maxDeliveries: 2 };
    const doomed = await Promise.all([harness.process('a', options), harness.process('b', options)]);
    const client = await harness.client();
    const poison = client.call(fixtureContract.crash, { password }, { actor: visitor, requestId: 'poison' });
    poison.catch(() => undefined);
    const neighbour = client.call(fixtureContract.wait, { ms: 200, label: 'neighbour' }, { actor: visitor });
    await eventually(() => expect(doomed.map(({ process }) => process.exitCode)).toEqual([1, 1]));
    // The survivor gets the third delivery. It is in this process, so a third run of the `crash` handler would end the tests.
    const survivor = await harness.replica('survivor', options);

    await expect(poison).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await neighbour).toEqual({ replica: expect.stringMatching(/^(a|b|survivor)$/) });
    expect(survivor.runs.map((run) => run.handler)).not.toContain('crash');
    expect(await survivor.server.readQueueStats()).toMatchObject({ deadLetters: 1 });
    const [letter] = await letters.list('orders');
    expect(letter).toMatchObject({
      reason: 'too-many-deliveries',
      pattern: 'orders.crash',
      requestId: 'poison',
      deliveries: 3,
      replayable: false,
    });
    expect(JSON.parse(letter!.message)).toMatchObject({ input: { password: '[redacted]' } });
    expect(await letters.replay('orders', letter!.id)).toBe(false);
    expect(await letters.drop('orders', letter!.id)).toBe(true);
    expect(await letters.count('orders')).toBe(0);
  });

  test.each([
    ['a field other than `m`', { other: 'value' }],
    ['no JSON', { m: `{"password": "${password}` }],
    ['not a request', { m: JSON.stringify(['a', 1]) }],
    [
      'a request without an actor',
      { m: JSON.stringify({ id: 'x', call: 'y', pattern: 'orders.echo', password }) },
    ],
    [
      'a reply address that is no reply channel',
      {
        m: JSON.stringify({
          id: 'x',
          call: 'y',
          pattern: 'orders.echo',
          input: { text: password },
          actor: visitor,
          replyTo: 'broadcast:content.version',
          ttlMs: 1000,
        }),
      },
    ],
  ])('garbage in the stream (%s) becomes a dead letter without its content', async (_name, fields) => {
    const raw = await harness.raw();
    // `letters` refuses commands while it is disconnected, which happens on a busy machine.
    const before = await eventually(() => letters.count('orders'));
    await raw.xAdd('{orders}:requests', '*', fields as Record<string, string>);
    await eventually(async () => expect(await letters.count('orders')).toBe(before + 1));
    const letter = (await letters.list('orders')).at(-1);
    expect(letter).toMatchObject({ reason: 'malformed', message: '', replayable: false });
    const client = await harness.client();
    const answer = client.call(fixtureContract.echo, { text: 'alive' }, { actor: visitor });
    await expect(answer).resolves.toEqual({ text: 'alive' });
  });

  test('the secrets of these tests are neither in the logs nor in the dead letters', async () => {
    const client = await harness.client();
    const wrong = { password: 7, note: password } as unknown as { password: string };
    const refused = client.call(fixtureContract.crash, wrong, { actor: visitor });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const raw = await harness.raw();
    const deadLetters = JSON.stringify(await raw.xRange('{orders}:dead', '-', '+'));
    expect(deadLetters).not.toContain(password);
    expect(deadLetters).toContain('malformed');
    expect(JSON.stringify(harness.logged)).not.toContain(password);
    expect(harness.logged.some((line) => line.message === 'Moved a request to the dead letters')).toBe(true);
  });
});
