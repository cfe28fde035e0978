import { expect, test } from '@jest/globals';
import * as contracts from '#libs/contracts';
import { redisRules } from './redis-access.js';

/** Everything that `libs/contracts` exports and that is, or holds, contracts. */
const all = Object.values(contracts)
  .flatMap((one) => (typeof one === 'object' && one !== null ? [one, ...Object.values(one)] : []))
  .filter(
    (one): one is contracts.Contract =>
      typeof one === 'object' && one !== null && 'pattern' in one && 'access' in one,
  );

test.each(contracts.serviceNames)(
  '%s may reach the services that let it ask something, and no other',
  (name) => {
    expect(all.length).toBeGreaterThan(50);
    const asked = all.filter(({ askedBy }) => askedBy?.includes(name)).map(contracts.serviceOf);
    const reached = [
      ...redisRules(name)
        .join(' ')
        .matchAll(/\{(\w+)\}:requests:/g),
    ].map(([, service]) => service);
    expect(reached.sort()).toEqual([...new Set(asked)].sort());
  },
);

test('services ask each other questions only: commands are people’s', () => {
  expect(all.filter(({ askedBy, kind }) => askedBy && kind === 'command')).toEqual([]);
});
