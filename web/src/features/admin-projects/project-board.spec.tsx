/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { demoDomain, type StaffProject } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { useQuery } from '../../workspace/query.js';
import { useProjectFilter } from './project-filter.js';
import { ProjectBoard } from './ProjectBoard.js';

const project = (title: string, customerEmail: string) =>
  ({
    ...{ _id: title, number: 1, title, state: 'in_progress', customerName: 'Ada', customerEmail },
    ...{ dueOn: null, overdue: false, unread: 0, labels: [], assignees: [], version: 1 },
  }) as unknown as StaffProject;

function Board() {
  return (
    <ProjectBoard
      board={useQuery('GET /staff-projects/board')}
      filter={useProjectFilter('board')}
      empty={null}
    />
  );
}

test('cards of demo customers are marked', async () => {
  const projects = [project('Sample', `ada@${demoDomain}`), project('Audit', 'ada@example.com')];
  openScreen(Board, () => Response.json([{ state: 'in_progress', total: 2, projects }]));
  const sample = await screen.findByRole('article', { name: /Sample/ });
  within(sample).getByText('Demo');
  expect(within(screen.getByRole('article', { name: /Audit/ })).queryByText('Demo')).toBeNull();
});
