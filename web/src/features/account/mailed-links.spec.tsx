/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { Link } from 'react-router-dom';
import { type FakeApi, openScreen } from '../../workspace/open-screen.js';
import { Component as ResetPassword } from './reset.route.js';
import { Component as VerifyEmail } from './verify-email.route.js';

const site: FakeApi = (_call, body) => {
  const { token } = body as { token?: string };
  if (token === 'expired') return Response.json({ code: 'LINK_EXPIRED' }, { status: 410 });
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
