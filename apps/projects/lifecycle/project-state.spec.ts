import { describe, expect, test } from '@jest/globals';
import { projectState } from '#libs/contracts';
import { dueAfter, orderStatusIn, stateToReturnTo, stateAfterResuming, stepIn } from './project-state.js';

type ResumedProject = Parameters<typeof stateAfterResuming>[0];

describe('the state after staff start, resume or reopen a project', () => {
  test.each<[ResumedProject['state'], ResumedProject['stateBefore'], string | undefined]>([
    // Undefined: there is nothing to resume.
    ['in_progress', null, undefined],
    ['waiting_for_brief', null, 'in_progress'],
    ['changes_requested', null, 'in_progress'],
    ['delivered', null, 'in_progress'],
    ['accepted', null, 'in_progress'],
    ['on_hold', 'waiting_for_brief', 'waiting_for_brief'],
    ['on_hold', 'in_progress', 'in_progress'],
    ['on_hold', 'changes_requested', 'in_progress'],
    ['on_hold', 'delivered', 'delivered'],
    ['closed', 'waiting_for_brief', 'waiting_for_brief'],
    ['closed', 'delivered', 'in_progress'],
    ['closed', 'accepted', 'in_progress'],
  ])('%s (state before: %s) becomes %s', (state, stateBefore, expected) => {
    expect(stateAfterResuming({ state, stateBefore })).toBe(expected);
  });
});

test('a project that is closed while it is on hold keeps the state from before the hold', () => {
  expect(stateToReturnTo({ state: 'on_hold', stateBefore: 'delivered' })).toBe('delivered');
});

test('each state sets an order status or leaves it unchanged, and may require the customer to take a step', () => {
  expect(projectState.options.map((state) => [state, orderStatusIn(state), stepIn(state)])).toEqual([
    ['waiting_for_brief', 'Pending', 'answer_brief'],
    ['in_progress', 'Pending', null],
    ['delivered', 'Delivered', 'review'],
    ['changes_requested', 'Pending', null],
    ['accepted', 'Delivered', null],
    ['on_hold', null, null],
    ['closed', null, null],
  ]);
});

test('a due date is a calendar day in UTC, or null if there is no number of days', () => {
  expect(dueAfter(new Date('2026-12-31T23:59:59Z'), 1)).toBe('2027-01-01');
  expect(dueAfter(new Date('2026-12-31T23:59:59Z'), null)).toBeNull();
});
