import { expect, test } from '@jest/globals';
import * as contracts from '#libs/contracts';
import { redisRules, redisUsers } from './redis-access.js';

/** Every contract that `libs/contracts` exports, alone or in a group. */
const exported: unknown[] = Object.values(contracts).flatMap((one) => [one, ...Object.values(one as object)]);
const all = exported.filter(
  (one): one is contracts.Contract =>
    typeof one === 'object' && one !== null && 'pattern' in one && 'access' in one,
);

test.each(contracts.serviceNames)('%s may call exactly the services whose contracts allow it', (name) => {
  expect(all.length).toBeGreaterThan(50);
  const called = all.filter(({ callableBy }) => callableBy?.includes(name)).map(contracts.serviceOf);
  const reached = [
    ...redisRules(name)
      .join(' ')
      .matchAll(/\{(\w+)\}:requests:/g),
  ].map(([, service]) => service);
  expect(reached.sort()).toEqual([...new Set(called)].sort());
});

test('services call only queries of each other', () => {
  expect(all.filter(({ callableBy, kind }) => callableBy && kind === 'command')).toEqual([]);
});

const secret = exported.filter(
  (one): one is contracts.EventContract =>
    typeof one === 'object' && one !== null && 'event' in one && 'follower' in one,
);

test.each(redisUsers)('%s may delete events from others’ streams only if they contain secrets', (user) => {
  const owners = secret.filter(({ follower }) => follower === user).map(({ event }) => event.split('.')[0]);
  const erased = redisRules(user).flatMap((rule) => /^\(~\{(\w+)\}.*\+xdel\b/.exec(rule)?.[1] ?? []);
  expect(erased.sort()).toEqual([...new Set(owners)].sort());
});

test('an event with secrets is on a stream that only its follower may read', () => {
  expect(secret).toContain(contracts.mailRequested);
  for (const { event, follower } of secret) {
    const stream = `~{${event.split('.')[0]}}:events`;
    const readers = redisUsers.filter((user) =>
      redisRules(user).some(
        (rule) => rule === stream || (rule.startsWith(`(${stream} `) && /\+x(read|range)/.test(rule)),
      ),
    );
    expect([event, readers]).toEqual([event, [follower]]);
  }
});
