/** @jest-environment ./web/dom-environment.mjs */
import { beforeEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import type { Team, TeamInvitation, TeamMember } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './team.route.js';

const invitation = (_id: string) =>
  ({
    ...{ _id, name: `Name ${_id}`, email: `${_id}@example.com`, role: 'member', expired: false },
    ...{ sentAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-08T00:00:00.000Z' },
  }) as TeamInvitation;
let team: Team;

beforeEach(async () => {
  team = { name: 'Ada', members: [], invitations: [invitation('1')], memberships: [] } as unknown as Team;
  openScreen(Component, (call, body) => {
    if (call === 'PUT /team/name') {
      const errors = [{ field: 'name', message: 'is required' }];
      return Response.json({ detail: 'Please fix the highlighted fields.', errors }, { status: 400 });
    }
    if (call.startsWith('POST')) team = { ...team, invitations: [...team.invitations, invitation('2')] };
    if (call.startsWith('DELETE')) team = { ...team, invitations: [] };
    return Response.json(call === 'GET /team' ? team : (body ?? {}));
  });
  await screen.findByLabelText('Name');
});

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(input(label), { target: { value } });
const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));

test('when the server refuses the customer’s own name, the message says ‘Your name’', async () => {
  type('Your name in messages', '  ');
  await press('Save name');
  await screen.findByText('Your name is required.');
});

test('an invitation that is being written stays while another one is revoked, and is cleared once it is sent', async () => {
  type('Name', 'Grace');
  type('E-mail', '2@example.com');
  await press('Revoke the invitation to Name 1');
  expect(screen.queryByText('Name 1')).toBeNull();
  expect(input('Name').value).toBe('Grace');
  await press('Send invitation');
  await screen.findByText('Name 2');
  expect(input('Name').value).toBe('');
});

test('a colleague who pays for a plan is told who can stop the payments; so is the owner who removes them', async () => {
  const colleague = {
    ...invitation('3'),
    name: 'Grace',
    role: 'billing',
    joinedAt: '2026-01-01T00:00:00.000Z',
  } as TeamMember;
  const membership = { _id: '4', ownerName: 'Edsger', role: 'billing' } as Team['memberships'][number];
  team = { ...team, members: [colleague], memberships: [membership], invitations: [] };
  cleanup();
  openScreen(Component, () => Response.json(team));
  await screen.findByLabelText('Name');
  await press('Remove Grace');
  screen.getByText(
    /^Grace will no longer be able to see .* until you cancel the plan or Grace stops the payments at PayPal\. /,
  );
  await press('Leave the team of Edsger');
  screen.getByText(
    /^You’ll no longer be able to see .* until Edsger cancels the plan or you stop the payments at PayPal\. /,
  );
});
