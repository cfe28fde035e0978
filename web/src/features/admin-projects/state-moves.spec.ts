import { expect, test } from '@jest/globals';
import { projectState } from '#libs/contracts';
import { canHandOver, movesFrom } from './state-moves.js';

test('the state of a project determines to which states staff can move it', () => {
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

test('a dialog asks for a reason for holding or closing a project, but not for starting or resuming work', () => {
  for (const { to, withReason } of projectState.options.flatMap(movesFrom))
    expect(withReason).toBe(to !== 'in_progress');
});

test('work can be handed over while it is in progress, again before the customer has decided, and after changes were requested', () => {
  expect(projectState.options.filter((state) => canHandOver({ state }))).toEqual([
    'in_progress',
    'delivered',
    'changes_requested',
  ]);
});
