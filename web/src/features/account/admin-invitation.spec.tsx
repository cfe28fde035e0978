/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Account } from '#libs/contracts';
import { changeSession } from '../../lib/session.js';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './admin-invitation.route.js';

test('if the sign-in after joining fails, the next attempt only signs in', async () => {
  const calls: string[] = [];
  openScreen(
    Component,
    (call) => {
      calls.push(call);
      if (call === 'POST /auth/admin-invitation/read')
        return Response.json({ email: 'eve@example.com', invitedBy: 'The owner', hasAccount: false });
      if (call === 'POST /auth/login') return Response.json({ code: 'UNAVAILABLE' }, { status: 503 });
      return undefined;
    },
    { path: '/admin-invitation', at: '/admin-invitation#token=abc' },
  );
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'a fine long password' } });
  const join = () =>
    act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Create account and join' })));
  const countOf = (call: string) => calls.filter((one) => one === call).length;
  await join();
  await waitFor(() => expect(countOf('POST /auth/login')).toBe(1));
  await screen.findByRole('button', { name: 'Create account and join' });
  await join();
  await waitFor(() => expect(countOf('POST /auth/login')).toBe(2));
  expect(countOf('POST /auth/admin-invitation/join')).toBe(1);
});

// `hasAccount` is false: no account has confirmed the address.
test('somebody with an unconfirmed address learns that joining resets their ways to sign in', async () => {
  const account = { id: 'eve', email: 'eve@example.com', emailVerified: false, role: 'Customer', name: null };
  changeSession({ status: 'signed-in', account: account as Account });
  openScreen(
    Component,
    () => Response.json({ email: 'eve@example.com', invitedBy: 'The owner', hasAccount: false }),
    { path: '/admin-invitation', at: '/admin-invitation#token=def' },
  );
  await screen.findByText(
    /Joining confirms it, replaces your password and removes your other ways to sign in/,
  );
  screen.getByRole('button', { name: 'Set password and join' });
  expect(screen.queryByText(/Create/)).toBeNull();
});

test('an invitation that was accepted is not offered again while /admin is being loaded', async () => {
  const account = { id: 'eve', email: 'eve@example.com', emailVerified: true, role: 'Customer', name: null };
  changeSession({ status: 'signed-in', account: account as Account });
  const disabledStates: string[] = [];
  openScreen(
    Component,
    (call) => {
      if (call === 'GET /auth/me') return Response.json({ account: { ...account, role: 'Admin' } });
      return Response.json({ email: 'eve@example.com', invitedBy: 'The owner', hasAccount: true });
    },
    { path: '/admin-invitation', at: '/admin-invitation#token=ghi' },
  );
  const accept = await screen.findByRole('button', { name: 'Accept invitation' });
  const seen = new MutationObserver(() => {
    const button = screen.queryByRole('button', { name: 'Accept invitation' });
    if (button) disabledStates.push(button.getAttribute('aria-disabled') ?? 'false');
  });
  seen.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  await act(async () => void fireEvent.click(accept));
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
  seen.disconnect();
  expect(disabledStates).not.toContain('false');
});
