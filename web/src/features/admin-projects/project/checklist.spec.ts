import { expect, test } from '@jest/globals';
import {
  added,
  itemsOf,
  type ListChange,
  movedBy,
  newIds,
  removed,
  type Step,
  ticked,
  withLocalIds,
} from './checklist.js';

const step = (id: string, over: Partial<Step> = {}): Step => ({
  id,
  text: `Step ${id}`,
  done: null,
  ...over,
});
const list = [step('a'), step('b'), step('c')];
const ids = (change: ListChange, steps: readonly Step[] = list) =>
  change(steps)
    .map(({ id }) => id)
    .join('');

test.each<[string, ListChange, string]>([
  ['added at the end', added(step('d')), 'abcd'],
  ['put back where it was', added(step('d'), 1), 'adbc'],
  ['not added twice', added(step('b')), 'abc'],
  ['removed', removed('b'), 'ac'],
  ['moved up', movedBy('c', -1), 'acb'],
  ['moved down', movedBy('a', 1), 'bac'],
  ['not moved beyond the end', movedBy('c', 1), 'abc'],
])('a step is %s', (_, change, expected) => {
  expect(ids(change)).toBe(expected);
});

test('changes of a step that somebody else has removed leave the others alone', () => {
  for (const change of [removed('x'), movedBy('x', 1), ticked('x', null)]) expect(change(list)).toEqual(list);
});

test('a ticked and a new step are sent as such', () => {
  const done = { by: 'Ada', at: '2026-11-21T00:00:00.000Z' };
  const steps = added(step('new', { isNew: true }))(ticked('a', done)(list));
  expect(itemsOf(steps)).toEqual([
    { id: 'a', text: 'Step a', done: true },
    { id: 'b', text: 'Step b', done: false },
    { id: 'c', text: 'Step c', done: false },
    { text: 'Step new', done: false },
  ]);
});

test('a new step keeps its id when it is stored, so that later changes find it', () => {
  const sent = added(step('here', { isNew: true }))(list);
  const stored = sent.map((one) => (one.id === 'here' ? step('stored') : one));
  const localIds = newIds(sent, stored);
  const shown = withLocalIds(stored, localIds);
  expect(shown.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'here']);
  expect(itemsOf(movedBy('here', -1)(shown), localIds).map(({ id }) => id)).toEqual([
    'a',
    'b',
    'stored',
    'c',
  ]);
});
