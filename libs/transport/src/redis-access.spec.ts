import { expect, test } from '@jest/globals';
import * as contracts from '#libs/contracts';
import { redisRules, redisUsers } from './redis-access.js';

const exported: unknown[] = Object.values(contracts).flatMap((one) => [one, ...Object.values(one as object)]);
const requestContracts = exported.filter(
  (one): one is contracts.Contract =>
    typeof one === 'object' && one !== null && 'pattern' in one && 'access' in one,
);

test.each(contracts.serviceNames)('%s may call exactly the services whose contracts allow it', (name) => {
  expect(requestContracts.length).toBeGreaterThan(50);
  const expected = requestContracts
    .filter(({ callableBy }) => callableBy?.includes(name))
    .map(contracts.serviceOf);
  const actual = [
    ...redisRules(name)
      .join(' ')
      .matchAll(/\{(\w+)\}:requests:/g),
  ].map(([, service]) => service);
  expect(actual.sort()).toEqual([...new Set(expected)].sort());
});

test('services may call queries of other services, but no commands', () => {
  expect(requestContracts.filter(({ callableBy, kind }) => callableBy && kind === 'command')).toEqual([]);
});

const secretEvents = exported.filter(
  (one): one is contracts.EventContract =>
    typeof one === 'object' && one !== null && 'event' in one && 'follower' in one,
);

test.each(redisUsers)(
  '%s may delete events only from its own streams and from those that hold secrets for it',
  (user) => {
    const expected = secretEvents
      .filter(({ follower }) => follower === user)
      .map(({ event }) => event.split('.')[0]);
    const actual = redisRules(user).flatMap((rule) => /^\(~\{(\w+)\}.*\+xdel\b/.exec(rule)?.[1] ?? []);
    expect(actual.sort()).toEqual([...new Set(expected)].sort());
  },
);

test('an event with secrets is on a stream that only its follower may read', () => {
  expect(secretEvents).toContain(contracts.mailRequested);
  for (const { event, follower } of secretEvents) {
    const stream = `{${event.split('.')[0]}}:events`;
    /** Whether the rule begins, perhaps in a selector, with a key pattern such as `~{mail}:*` that matches the stream. */
    const covers = (rule: string) => {
      const [, beginning, wildcard] = /^\(?~([^ *]*)(\*?)/.exec(rule) ?? [];
      return wildcard ? stream.startsWith(beginning!) : stream === beginning;
    };
    // Key patterns outside a selector are for the user's own keys, which it may read.
    const readers = redisUsers.filter((user) =>
      redisRules(user).some(
        (rule) => covers(rule) && (!rule.startsWith('(') || /\+x(read|range)/.test(rule)),
      ),
    );
    expect([event, readers]).toEqual([event, [follower]]);
  }
});
