import { expect, test } from '@jest/globals';
import { projectState } from '#libs/contracts';
import { canHandOver, movesFrom } from './state-moves.js';

test.each(projectState.options)('a project that is %s never moves to the state that it has', (state) => {
  expect(movesFrom(state).map(({ to }) => to)).not.toContain(state);
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
