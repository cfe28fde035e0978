/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import type { Deliverable, Project } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { Review } from './Review.js';

const deliverable = { _id: 'd1', text: 'The audit', files: [], links: [] } as unknown as Deliverable;

function ReviewOfLiveProject() {
  const [version, setVersion] = useState(1);
  const project = { _id: '1', title: 'Audit', state: 'delivered', version } as Project;
  return (
    <>
      <button type="button" onClick={() => setVersion(2)}>
        The team delivers again
      </button>
      <Review project={project} deliverable={deliverable} isCurrent />
    </>
  );
}

test('what is delivered while the customer confirms is not accepted with what they saw', async () => {
  openScreen(ReviewOfLiveProject, () => undefined);
  const versions: unknown[] = [];
  const answer = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    versions.push(new Headers(init?.headers).get('if-match'));
    return answer(input, init);
  };
  fireEvent.click(screen.getByRole('button', { name: 'Accept' }));
  fireEvent.click(screen.getByText('The team delivers again'));
  const buttons = screen.getAllByRole('button', { name: 'Accept', hidden: true });
  const confirm = buttons.find((button) => button.closest('dialog'))!;
  await act(async () => void fireEvent.click(confirm));
  expect(versions).toEqual(['"1"']);
});
