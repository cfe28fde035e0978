/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { demoDomain, type StaffProject } from '#libs/contracts';
import { Toasts } from '../../components/Toasts.js';
import { openScreen } from '../../workspace/open-screen.js';
import { useQuery } from '../../workspace/query.js';
import { useProjectFilter } from './project-filter.js';
import { ProjectBoard } from './ProjectBoard.js';
import { Projects } from './Projects.js';

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

/** Shows a board with one project. The first POST moves it to another column, and is answered with `answer`. */
async function openAndPress(
  names: string[],
  from: string,
  to: string,
  answer: () => Response,
): Promise<void> {
  const columns = (current: string) =>
    [from, to].map((state) => {
      const projects = state === current ? [{ ...project('Audit', 'ada@example.com'), state }] : [];
      return { state, total: projects.length, projects };
    });
  let current = from;
  openScreen(
    () => (
      <main id="main" tabIndex={-1}>
        <Board />
        <Toasts />
      </main>
    ),
    (call) => {
      if (!call.startsWith('POST')) return Response.json(columns(current));
      current = to;
      return answer();
    },
  );
  await screen.findByRole('article', { name: /Audit/ });
  screen.getByText('Move').closest('details')!.open = true;
  for (const name of names) {
    const button = screen.getByRole('button', { name });
    button.focus();
    await act(async () => void fireEvent.click(button));
  }
}

test.each([
  ['direct', ['Resume'], 'on_hold', 'in_progress'],
  ['confirmed', ['Close…', 'Close project'], 'in_progress', 'on_hold'],
])(
  'when a %s move is refused because a colleague has moved the project to another column, the admin is told',
  async (_, names, from, to) => {
    await openAndPress(names, from, to, () => Response.json({ code: 'VERSION_MISMATCH' }, { status: 412 }));
    await screen.findByText(/Someone else changed this project/);
    fireEvent.click(screen.getByRole('button', { name: /Dismiss/ }));
  },
);

test('after a direct move to another column, the content gets the focus, because the card’s menu is gone', async () => {
  const moved = { ...project('Audit', 'ada@example.com'), version: 2 };
  await openAndPress(['Resume'], 'on_hold', 'in_progress', () => Response.json(moved));
  expect(document.activeElement?.id).toBe('main');
});

test('when a move’s dialog opens, the focus comes from the card’s ‘Move’, so that it returns there', async () => {
  await openAndPress(['Close…'], 'in_progress', 'closed', () => Response.json({}));
  expect(document.activeElement?.textContent).toMatch(/^Move/);
});

test('a search on the board says that it found no open projects, because the list may have others', async () => {
  openScreen(Projects, (call) => (call.endsWith('summary') ? Response.json({}) : undefined), {
    path: '/admin/projects',
    at: '/admin/projects?view=board&search=audit',
  });
  await screen.findByText('No matching open projects');
});
