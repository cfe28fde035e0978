/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import type { ReportLink } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { ShareReport } from './ShareReport.js';

const dayMs = 24 * 3_600_000;

test.each([
  ['valid', dayMs, 'Revoke', 'Revoke this link?', /stops working at once/],
  ['expired', -dayMs, 'Remove', 'Remove this link?', /no longer works/],
])(
  'the dialog for a link that is %s says what its button does',
  async (_, untilExpiryMs, verb, title, text) => {
    const link: ReportLink = {
      ...{ _id: '1', label: 'Board', createdAt: '2026-11-20T10:00:00.000Z', openedAt: null },
      expiresAt: new Date(Date.now() + untilExpiryMs).toISOString(),
    };
    openScreen(
      () => <ShareReport id="project" />,
      () => Response.json([link]),
    );
    fireEvent.click(await screen.findByRole('button', { name: `${verb} the link for Board` }));
    const dialog = screen.getByRole('dialog', { name: title });
    expect(dialog.textContent).toMatch(text);
    expect([...dialog.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
      'Cancel',
      verb,
    ]);
  },
);
