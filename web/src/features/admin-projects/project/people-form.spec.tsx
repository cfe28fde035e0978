/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { projectLimits, type StaffProject } from '#libs/contracts';
import { openScreen } from '../../../workspace/open-screen.js';
import { PeopleForm } from './fact-forms.js';

const people = Array.from({ length: projectLimits.assignees + 1 }, (_, index) => ({
  ...{ accountId: `person-${index}`, name: `Person ${index}`, email: `person-${index}@example.com` },
}));

test('says why nobody else can be chosen once the limit is reached', async () => {
  const project = { _id: 'project-1', assignees: people.slice(0, projectLimits.assignees) };
  openScreen(
    () => <PeopleForm project={project as StaffProject} close={() => {}} />,
    () => Response.json(people),
  );
  const last = await screen.findByRole('checkbox', { name: /Person 10/ });
  expect((last as HTMLInputElement).disabled).toBe(true);
  screen.getByText('A project can have up to 10 people. Remove one to add another.');
  fireEvent.click(screen.getByRole('checkbox', { name: /Person 1 / }));
  expect((last as HTMLInputElement).disabled).toBe(false);
  expect(screen.queryByText(/up to 10 people/)).toBeNull();
});
