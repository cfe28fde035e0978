/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { StaffProject } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { MoveDialog } from './MoveDialog.js';
import type { Move } from './state-moves.js';

const warning = 'The customer’s monthly plan continues to be charged until it’s cancelled.';

test.each<[Move['to'], subscriptionId: string | null, warnings: number]>([
  ['closed', 'plan-1', 1],
  ['closed', null, 0],
  ['on_hold', 'plan-1', 0],
])(
  'the dialog for the state %s of a project with the monthly plan %s shows %d warnings about its charges',
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
