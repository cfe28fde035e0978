import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { queryOf, useProjectFilter } from './project-filter.js';
import type { ProjectView } from './project-view.js';

const ada = '0190a5f4-5c1e-7000-8000-000000000001';

test('every filter in the address becomes part of the query', () => {
  const values = { search: 'audit', state: 'on_hold', person: 'nobody', label: 'Urgent', overdue: 'true' };
  expect(queryOf({ ...values, customer: ada })).toEqual({
    search: 'audit',
    state: 'on_hold',
    assignee: 'nobody',
    label: 'Urgent',
    overdue: true,
    customer: ada,
  });
});

test('the choice of all open projects is sent as `open`, not as a state', () => {
  expect(queryOf({ state: 'open' })).toMatchObject({ open: true });
  expect(queryOf({ state: 'open' }).state).toBeUndefined();
});

test.each([
  ['state', 'finished'],
  ['person', 'ada'],
  ['overdue', 'no'],
  ['customer', '1'],
])('an invalid `%s` in the address filters nothing', (name, value) => {
  expect(Object.values(queryOf({ [name]: value })).filter((one) => one !== undefined)).toEqual([]);
});

function Filter({ view }: { view: ProjectView }) {
  const { active, query } = useProjectFilter(view);
  return JSON.stringify({ active, state: query.state });
}

test.each([
  ['list', { active: true, state: 'on_hold' }],
  ['board', { active: false }],
] as const)('a state in the address filters the list, but not the board (%s)', (view, filter) => {
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={['/admin/projects?state=on_hold']}>
      <Filter view={view} />
    </MemoryRouter>,
  );
  expect(JSON.parse(html.replaceAll('&quot;', '"'))).toEqual(filter);
});
