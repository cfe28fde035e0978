/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { Project } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { ProjectDetails } from './ProjectDetails.js';

const project = { _id: '1', state: 'in_progress', dueOn: null, orders: [], role: 'owner', brief: null };
const deliverables = {
  data: [],
  total: undefined,
  loading: false,
  retrying: false,
  reading: false,
  problem: undefined,
  retry: () => {},
};

test.each([
  [[], 'Only you, so far.', 'Invite a colleague'],
  [['billing'], 'Only you can see your projects, so far.', 'Manage team'],
  [['billing', 'member'], 'Name of member', 'Manage team'],
])('a team of colleagues with the roles %j is shown as ‘%s’', async (roles, text, link) => {
  const members = roles.map((role) => ({ _id: role, name: `Name of ${role}`, role }));
  openScreen(
    () => <ProjectDetails project={project as unknown as Project} deliverables={deliverables} />,
    () => Response.json({ members }),
  );
  await screen.findByText(text);
  screen.getByRole('link', { name: link });
  expect(screen.queryByText('Name of billing')).toBeNull();
});

test('a team that could not be read is not taken for an empty one', async () => {
  openScreen(
    () => <ProjectDetails project={project as unknown as Project} deliverables={deliverables} />,
    () => Response.json({}, { status: 503 }),
  );
  await screen.findByRole('alert');
  expect(screen.queryByText('Only you, so far.')).toBeNull();
});
