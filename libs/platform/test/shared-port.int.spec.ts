import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let primary: ChildProcess;
let port: number;

beforeAll(async () => {
  primary = fork(fileURLToPath(new URL('shared-port-primary.mjs', import.meta.url)));
  [{ port }] = (await once(primary, 'message')) as [{ port: number }];
});
afterAll(() => void primary?.kill());

/** On a connection of its own. Resolves to the status, or to what went wrong. */
const request = () =>
  new Promise<number | string | undefined>((resolve) => {
    const sent = get({ host: '127.0.0.1', port, agent: false, timeout: 5_000 }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer')));
    sent.once('error', ({ message }) => resolve(message));
  });

test('a replica that shares its port stops without losing a connection, even if its supervisor is busy', async () => {
  for (let restart = 1; restart <= 3; restart += 1) {
    let isRestarting = true;
    const restarted = once(primary, 'message').then(() => (isRestarting = false));
    // The primary, which supervises the replicas, is busy for a while after it has told a replica to stop.
    primary.send('restart');
    const visitor = async () => {
      const answers = [];
      while (isRestarting && (answers.at(-1) ?? 200) === 200) answers.push(await request());
      return answers;
    };
    const answers = await Promise.all(Array.from({ length: 10 }, visitor));
    await restarted;
    expect(new Set(answers.flat())).toEqual(new Set([200]));
  }
});
