/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openScreen } from '../open-screen.js';
import { PendingSteps } from './PendingSteps.js';

test('a delivery to review is described without its Markdown', async () => {
  const step = {
    projectId: 'p1',
    title: 'Audit',
    number: 7,
    step: 'review',
    deliverable: '## Report\n**Done**',
  };
  openScreen(PendingSteps, () => Response.json({ projects: 1, unread: 0, expected: [step] }));
  await screen.findByText('#7 · Report Done');
});
