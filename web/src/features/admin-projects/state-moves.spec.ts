import { expect, test } from '@jest/globals';
import { projectState } from '#libs/contracts';
import { canHandOver, movesFrom } from './state-moves.js';

test('staff can begin, interrupt and close work as its state permits', () => {
  const moves = projectState.options.map((state) => [state, movesFrom(state).map(({ to }) => to)]);
  expect(Object.fromEntries(moves)).toEqual({
    waiting_for_brief: ['in_progress', 'on_hold', 'closed'],
    in_progress: ['on_hold', 'closed'],
    delivered: ['in_progress', 'on_hold', 'closed'],
    changes_requested: ['in_progress', 'on_hold', 'closed'],
    accepted: ['in_progress', 'closed'],
    on_hold: ['in_progress', 'closed'],
    closed: ['in_progress'],
  });
});

test('interrupting and closing ask for a reason, beginning does not', () => {
  for (const { to, withReason } of projectState.options.flatMap(movesFrom))
    expect(withReason).toBe(to !== 'in_progress');
});

test('work is handed over while it is being done, and again until the customer has decided', () => {
  expect(projectState.options.filter((state) => canHandOver({ state }))).toEqual([
    'in_progress',
    'delivered',
    'changes_requested',
  ]);
});
