/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { AdminInvitations } from './AdminInvitations.js';

test('the list of invitations, which also has expired ones, is not called pending', async () => {
  const invitation = {
    ...{ _id: '1', email: 'ada@example.com', invitedBy: 'grace@example.com', expired: true },
    ...{ sentAt: '2026-11-01T10:00:00.000Z', expiresAt: '2026-11-08T10:00:00.000Z' },
  };
  openScreen(AdminInvitations, () => Response.json([invitation]));
  within(await screen.findByRole('list', { name: 'Invitations' })).getByText('Expired');
});
