/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { StaffProject } from '#libs/contracts';
import { openScreen } from '../../../workspace/open-screen.js';
import { useQuery } from '../../../workspace/query.js';
import { ProjectActions } from './ProjectActions.js';

test('after a project was resumed, the content gets the focus, because the pressed button is gone', async () => {
  const path = { params: { id: '1' } };
  let state = 'on_hold';
  openScreen(
    () => {
      const { data } = useQuery('GET /staff-project/:id', path);
      return (
        <main id="main" tabIndex={-1}>
          {data && <ProjectActions project={data as StaffProject} />}
        </main>
      );
    },
    (call) => {
      if (call.startsWith('POST')) state = 'in_progress';
      return Response.json({ _id: '1', number: 1, title: 'Audit', customerName: 'Ada', version: 1, state });
    },
  );
  const resume = await screen.findByRole('button', { name: 'Resume' });
  resume.focus();
  await act(async () => void fireEvent.click(resume));
  expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
  expect(document.activeElement?.id).toBe('main');
});
