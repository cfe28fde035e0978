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

test('before a billing colleague is removed or leaves the team, the dialog says who can still stop the payments for a plan', async () => {
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

const member = { ...invitation('3'), name: 'Grace', joinedAt: '2026-01-01T00:00:00.000Z' } as TeamMember;
const membership = { _id: '4', ownerName: 'Edsger', role: 'member' } as Team['memberships'][number];

test.each<[string, Partial<Team>, ...string[]]>([
  ['a member', { members: [member] }, 'Remove Grace', 'Remove'],
  ['an invitation', { invitations: [invitation('1')] }, 'Revoke the invitation to Name 1'],
  ['a membership', { memberships: [membership] }, 'Leave the team of Edsger', 'Leave team'],
])('%s that is already gone counts as removed', async (_, shown, ...buttons) => {
  const empty = { ...team, invitations: [] };
  let current = { ...empty, ...shown };
  cleanup();
  openScreen(Component, (call) => {
    if (call === 'GET /team') return Response.json(current);
    if (!call.startsWith('DELETE')) return undefined;
    current = empty;
    return Response.json({ code: 'NOT_FOUND' }, { status: 404 });
  });
  await screen.findByLabelText('Name');
  for (const button of buttons) await press(button);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: buttons[0]! })).toBeNull();
});

test('a member who has just left disappears when the owner changes their role', async () => {
  let members = [member];
  cleanup();
  openScreen(Component, (call) => {
    if (call === 'GET /team') return Response.json({ ...team, members });
    if (!call.startsWith('PUT')) return undefined;
    members = [];
    return Response.json({ code: 'NOT_FOUND' }, { status: 404 });
  });
  const select = await screen.findByLabelText('Role of Grace');
  await act(async () => void fireEvent.change(select, { target: { value: 'billing' } }));
  expect(screen.queryByLabelText('Role of Grace')).toBeNull();
});

test('after a lost answer, a second press of ‘Send again’ sends the same idempotency key', async () => {
  const keys: unknown[] = [];
  globalThis.fetch = (async (_: string, init: RequestInit = {}) => {
    if (init.method !== 'POST') return Response.json(team);
    keys.push(new Headers(init.headers).get('idempotency-key'));
    if (keys.length === 1) throw new TypeError('Failed to fetch');
    return Response.json({ _id: '1' }, { status: 201 });
  }) as typeof fetch;
  await press('Send again to Name 1');
  await screen.findByText(/We can’t reach the site/);
  await press('Send again to Name 1');
  await press('Send again to Name 1');
  expect(keys).toEqual([expect.any(String), keys[0], expect.any(String)]);
  expect(keys[2]).not.toBe(keys[0]);
});

test('after a lost answer, an invitation with another role has another idempotency key', async () => {
  const keys: unknown[] = [];
  globalThis.fetch = (async (_: string, init: RequestInit = {}) => {
    if (init.method !== 'POST') return Response.json(team);
    keys.push(new Headers(init.headers).get('idempotency-key'));
    throw new TypeError('Failed to fetch');
  }) as typeof fetch;
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Ada' } });
  fireEvent.change(screen.getByLabelText('E-mail'), { target: { value: 'ada@example.com' } });
  await press('Send invitation');
  await press('Send invitation');
  await act(async () => void fireEvent.click(screen.getByLabelText(/^Billing/)));
  await press('Send invitation');
  expect(keys).toEqual([expect.any(String), keys[0], expect.any(String)]);
  expect(keys[2]).not.toBe(keys[0]);
});
