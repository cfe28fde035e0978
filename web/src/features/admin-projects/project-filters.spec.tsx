/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { useProjectFilter } from './project-filter.js';
import { ProjectFilters } from './ProjectFilters.js';

const ada = '0190a5f4-5c1e-7000-8000-000000000001';
const staff = [{ accountId: ada, name: 'Ada', email: 'ada@example.com' }];

function Filters() {
  const filter = useProjectFilter('list');
  return <ProjectFilters filter={filter} summary={undefined} withState anyProject={undefined} />;
}

const chosen = () => screen.getByLabelText<HTMLSelectElement>('Person').selectedOptions[0]?.textContent;

test.each<[string, string, Response]>([
  ['Ada', 'who is staff', Response.json(staff)],
  ['Former colleague', 'who is no longer staff', Response.json([])],
  ['One colleague', 'if the staff cannot be read', Response.json({ detail: 'Not now.' }, { status: 503 })],
])('the filter shows ‘%s’ for a person %s', async (text, _, response) => {
  let answer!: (response: Response) => void;
  openScreen(Filters, () => new Promise((resolve) => (answer = resolve)), { at: `/?person=${ada}` });
  expect(chosen()).toBe('One moment');
  await act(async () => answer(response));
  expect(chosen()).toBe(text);
});

test.each([
  ['me', 'Me'],
  ['nobody', 'Nobody'],
  ['invalid', 'All'],
])('with ‘person=%s’ in the address, the filter shows ‘%s’', async (person, text) => {
  openScreen(Filters, () => undefined, { at: `/?person=${person}` });
  await screen.findByText('Nobody');
  expect(chosen()).toBe(text);
});
