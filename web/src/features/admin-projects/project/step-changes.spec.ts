import { expect, test } from '@jest/globals';
import {
  adding,
  type ChecklistChange,
  itemsOf,
  newLocalIds,
  placing,
  removing,
  type Step,
  ticking,
  withLocalIds,
} from './step-changes.js';

const step = (id: string, over: Partial<Step> = {}): Step => ({
  id,
  text: `Step ${id}`,
  done: null,
  ...over,
});
const list = [step('a'), step('b'), step('c')];
const ids = (change: ChecklistChange) =>
  change(list)
    .map(({ id }) => id)
    .join('');

test.each<[string, ChecklistChange, string]>([
  ['added at the end', adding(step('d')), 'abcd'],
  ['put back where it was', adding(step('d'), 1), 'adbc'],
  ['not added twice', adding(step('b')), 'abc'],
  ['removed', removing('b'), 'ac'],
  ['moved up', placing('c', 'before', 'b'), 'acb'],
  ['moved down', placing('a', 'after', 'b'), 'bac'],
  ['not moved beside a step that is gone', placing('a', 'after', 'x'), 'abc'],
])('a step is %s', (_, change, expected) => {
  expect(ids(change)).toBe(expected);
});

test.each<[string, ChecklistChange]>([
  ['added', adding(step('d'), 1)],
  ['removed', removing('b')],
  ['moved', placing('c', 'before', 'b')],
  ['ticked', ticking('b', { by: 'Ada', at: '2026-11-21T00:00:00.000Z' })],
])('a step can be %s twice: the second time changes nothing', (_, change) => {
  expect(change(change(list))).toEqual(change(list));
});

test('changes to a step that somebody else has removed leave the other steps alone', () => {
  for (const change of [removing('x'), placing('x', 'after', 'a'), ticking('x', null)])
    expect(change(list)).toEqual(list);
});

test('a ticked step is sent as done, and a new one without an id', () => {
  const done = { by: 'Ada', at: '2026-11-21T00:00:00.000Z' };
  const steps = adding(step('new', { isNew: true }))(ticking('a', done)(list));
  expect(itemsOf(steps)).toEqual([
    { id: 'a', text: 'Step a', done: true },
    { id: 'b', text: 'Step b', done: false },
    { id: 'c', text: 'Step c', done: false },
    { text: 'Step new', done: false },
  ]);
});

test('a new step keeps its local id when it is stored, so that later changes find it', () => {
  const sent = adding(step('here', { isNew: true }))(list);
  const stored = sent.map((one) => (one.id === 'here' ? step('stored') : one));
  const localIds = newLocalIds(sent, stored);
  const shown = withLocalIds(stored, localIds);
  expect(shown.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'here']);
  expect(itemsOf(placing('here', 'before', 'c')(shown), localIds).map(({ id }) => id)).toEqual([
    'a',
    'b',
    'stored',
    'c',
  ]);
});
