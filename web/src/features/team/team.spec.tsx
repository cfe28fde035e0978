/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { BrowserRouter } from 'react-router-dom';
import type { Account, Team, TeamInvitation } from '#libs/contracts';
import type { Page } from '../../lib/page.js';
import { AccountContext, ScreenContext } from '../../workspace/current-screen.js';
import { Queries } from '../../workspace/Queries.js';
import { Component } from './team.route.js';

const realFetch = globalThis.fetch;
const invitation = (_id: string) =>
  ({
    ...{ _id, name: `Name ${_id}`, email: `${_id}@example.com`, role: 'member', expired: false },
    ...{ sentAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-08T00:00:00.000Z' },
  }) as TeamInvitation;
const teamScreen: Page = { path: '/team', access: 'account', load: () => new Promise<never>(() => {}) };
let team: Team;

beforeEach(async () => {
  team = { name: 'Ada', members: [], invitations: [invitation('1')], memberships: [] } as unknown as Team;
  globalThis.fetch = (async (path: string, { method, body }: RequestInit = {}) => {
    if (path === '/team/name') {
      const errors = [{ field: 'name', message: 'is required' }];
      return Response.json({ detail: 'Please fix the highlighted fields.', errors }, { status: 400 });
    }
    if (method === 'POST') team = { ...team, invitations: [...team.invitations, invitation('2')] };
    if (method === 'DELETE') team = { ...team, invitations: [] };
    return Response.json(path === '/team' ? team : body ? JSON.parse(String(body)) : {});
  }) as typeof fetch;
  const account = { id: 'ada', email: 'ada@example.com', emailVerified: true, role: 'Customer', name: null };
  const shown = (
    <BrowserRouter>
      <AccountContext value={account as Account}>
        <ScreenContext value={{ screen: teamScreen, screens: [teamScreen] }}>
          <Queries>
            <Component />
          </Queries>
        </ScreenContext>
      </AccountContext>
    </BrowserRouter>
  );
  await act(async () => void render(shown));
  await screen.findByLabelText('Name');
});
afterEach(() => {
  cleanup();
  globalThis.fetch = realFetch;
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
