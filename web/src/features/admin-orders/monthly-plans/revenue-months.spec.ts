import { expect, test } from '@jest/globals';
import type { SubscriptionFigures } from '#libs/contracts';
import { sinceFirstPlan } from './revenue-months.js';

type Month = SubscriptionFigures['months'][number];

/** 24 months without a plan, except for these. */
const months = (...changes: [index: number, month: Partial<Month>][]) => {
  const all = Array.from({ length: 24 }, () => ({ began: 0, recurring: '0.00' }) as Month);
  for (const [index, month] of changes) all[index] = { ...all[index]!, ...month };
  return all;
};

test.each<[string, Month[], number]>([
  ['no plan at all', months(), 12],
  ['a first plan in the last year', months([20, { began: 1, recurring: '290.00' }]), 12],
  ['a first plan before the last year', months([5, { began: 1, recurring: '290.00' }]), 19],
  ['a plan that began and ended in the same month', months([5, { began: 1 }]), 19],
  ['a plan that began before these months', months([0, { recurring: '290.00' }], [5, { began: 1 }]), 24],
])('with %s, the months since the first plan are shown, but at least twelve', (_, given, count) => {
  expect(sinceFirstPlan(given)).toEqual(given.slice(-count));
});
