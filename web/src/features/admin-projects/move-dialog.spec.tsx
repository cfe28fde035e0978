/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { expectOpenUntilRefused, refuseLater } from '../../workspace/dialog-checks.js';
import { openScreen } from '../../workspace/open-screen.js';
import { useQuery } from '../../workspace/query.js';
import { MoveDialog } from './MoveDialog.js';
import type { Move } from './state-moves.js';

const warning = 'The customer’s monthly plan continues to be charged until it’s cancelled.';

test.each<[Move['to'], subscriptionId: string | null, warnings: number]>([
  ['closed', 'plan-1', 1],
  ['closed', null, 0],
  ['on_hold', 'plan-1', 0],
])(
  'the dialog for a move to %s, of a project with the monthly plan %s, shows %d warnings about the plan’s charges',
  (to, subscriptionId, warnings) => {
    const project = {
      _id: '1',
      number: 1,
      title: 'Audit',
      customerName: 'Ada',
      subscriptionId,
    } as StaffProject;
    openScreen(
      () => <MoveDialog project={project} move={{ to } as Move} close={() => undefined} />,
      () => undefined,
    );
    expect(screen.queryAllByText(warning)).toHaveLength(warnings);
  },
);

test('if the new state removes the dialog, the content gets the focus', async () => {
  const path = { params: { id: '1' } };
  let state = 'in_progress';
  openScreen(
    () => {
      const { data } = useQuery('GET /staff-project/:id', path);
      return (
        <main id="main" tabIndex={-1}>
          {data?.state === 'in_progress' && (
            <MoveDialog project={data} move={{ to: 'closed' } as Move} close={() => undefined} />
          )}
        </main>
      );
    },
    (call) => {
      if (call.startsWith('POST')) state = 'closed';
      return Response.json({ _id: '1', number: 1, title: 'Audit', customerName: 'Ada', version: 1, state });
    },
  );
  const confirm = await screen.findByRole('button', { name: 'Close project' });
  confirm.focus();
  await act(async () => void fireEvent.click(confirm));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement?.id).toBe('main');
});

test('while a project is being closed, the dialog stays open, so that the admin sees a refusal', async () => {
  const later = refuseLater();
  const project = { _id: '1', number: 1, title: 'Audit', customerName: 'Ada' } as StaffProject;
  openScreen(
    () => <MoveDialog project={project} move={{ to: 'closed' } as Move} close={() => undefined} />,
    later.api,
  );
  await act(async () => void fireEvent.click(screen.getByText('Close project')));
  await expectOpenUntilRefused(later);
});

test('if the project changes behind the open dialog, confirming is refused once, so that the admin sees the change', async () => {
  const versions: (string | null)[] = [];
  openScreen(
    () => {
      const [version, setVersion] = useState(1);
      const project = { _id: '1', number: 1, title: 'Audit', customerName: 'Ada', version } as StaffProject;
      return (
        <>
          <button type="button" onClick={() => setVersion(2)}>
            The customer accepts
          </button>
          <MoveDialog project={project} move={{ to: 'closed' } as Move} close={() => undefined} />
        </>
      );
    },
    () => undefined,
  );
  globalThis.fetch = (async (_: string, init: RequestInit = {}) => {
    const version = new Headers(init.headers).get('if-match');
    versions.push(version);
    // The second attempt fails for another reason.
    if (versions.length === 2) return Response.json({}, { status: 503 });
    return version === '"2"'
      ? Response.json({ number: 1, state: 'closed' })
      : Response.json({ code: 'VERSION_MISMATCH' }, { status: 412 });
  }) as typeof fetch;
  fireEvent.click(screen.getByText('The customer accepts'));
  const confirm = () => act(async () => void fireEvent.click(screen.getByText('Close project')));
  await confirm();
  await screen.findByText(/Someone else changed this project/);
  await confirm();
  await confirm();
  expect(versions).toEqual(['"1"', '"2"', '"2"']);
});
