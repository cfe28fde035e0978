/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { Link } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { changeSession } from '../../lib/session.js';
import { type FakeApi, openScreen } from '../../workspace/open-screen.js';
import { Component as ResetPassword } from './reset.route.js';
import { Component as VerifyEmail } from './verify-email.route.js';

afterEach(() => {
  document.cookie = 'signed_in=0';
  changeSession({ status: 'signed-out' });
});

let account: Partial<Account>;

const site: FakeApi = (call, body) => {
  if (call === 'GET /auth/me') return Response.json({ account });
  const { token } = body as { token?: string };
  if (token === 'expired') return Response.json({ code: 'LINK_EXPIRED' }, { status: 400 });
  return Response.json({ email: 'ada@example.com' });
};

/** The link on the screen stands for a newer mailed link, opened in the same tab. */
function openExpiredLink(Screen: ComponentType, path: string): void {
  const WithNewLink = () => (
    <>
      <Link to={`${path}#token=new`}>New mailed link</Link>
      <Screen />
    </>
  );
  openScreen(WithNewLink, site, { path, at: `${path}#token=expired` });
}

const press = (name: string) =>
  act(async () => void fireEvent.click(await screen.findByRole('button', { name })));
const openNewLink = () => act(async () => void fireEvent.click(screen.getByText('New mailed link')));
const enter = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('a new link to confirm an address works in the tab in which an expired one was opened', async () => {
  openExpiredLink(VerifyEmail, '/verify-email');
  await press('Confirm address');
  await screen.findByText(/to get a new link/);
  await openNewLink();
  await press('Confirm address');
  await screen.findByText('ada@example.com is now confirmed for your account.');
});

test('a new link to reset a password works in the tab in which it was requested', async () => {
  openExpiredLink(ResetPassword, '/reset');
  enter('New password', 'correct horse battery');
  await press('Save password');
  await press('Request a new link');
  enter('E-mail', 'ada@example.com');
  await press('Send link');
  await screen.findByRole('heading', { name: 'Check your inbox' });
  await openNewLink();
  enter('New password', 'correct horse battery');
  await press('Save password');
  expect(await screen.findByRole('heading', { name: 'Password changed' })).toBeTruthy();
});

// The screen cannot know whether the link was for the account's address or for a change to another one.
test.each([
  ['confirmed', true],
  ['not confirmed', false],
] as const)(
  'after an expired link, a person whose address is %s is led to their account, and gets a button for a new link only if there is an address to confirm',
  async (_what, emailVerified) => {
    account = { id: 'ada', email: 'ada@example.com', emailVerified, role: 'Customer', name: null };
    document.cookie = 'signed_in=1';
    changeSession({ status: 'signed-in', account: account as Account });
    openExpiredLink(VerifyEmail, '/verify-email');
    await press('Confirm address');
    const link = await screen.findByRole('link', { name: 'your account' });
    expect(link.getAttribute('href')).toBe('/account');
    expect(screen.queryByRole('button', { name: 'Send new link' }) === null).toBe(emailVerified);
  },
);
