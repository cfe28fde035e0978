/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { Account } from '#libs/contracts';
import { changeSession } from '../lib/session.js';
import { type FakeApi, openScreen } from '../workspace/open-screen.js';
import { Component } from './add-paypal-email.js';

const admin: Account = {
  id: 'ada',
  email: 'ada@example.com',
  emailVerified: true,
  role: 'Admin',
  name: null,
};
const outage = { code: 'UNAVAILABLE', detail: 'The service is not available.' };
const site: FakeApi = (call) =>
  call === 'GET /paypal-email' ? Response.json([]) : Response.json(outage, { status: 503 });

function open(): void {
  window.history.replaceState(null, '', '/add-paypal-Email');
  openScreen(Component, site, { path: '/add-paypal-Email' });
}

test('says why the session cannot be read', async () => {
  document.cookie = 'signed_in=1';
  open();
  expect((await screen.findByRole('alert')).textContent).toContain('not available');
});

test('what an admin has typed stays when the session ends', async () => {
  open();
  act(() => changeSession({ status: 'signed-in', account: admin }));
  const field = await screen.findByLabelText<HTMLInputElement>(/PayPal e-mail/);
  fireEvent.change(field, { target: { value: 'shop@example.com' } });
  act(() => changeSession({ status: 'signed-out' }));
  expect(screen.getByRole('heading', { name: 'Your session has ended' })).toBeTruthy();
  expect(field.isConnected && field.value).toBe('shop@example.com');
});

test('offers signed-out visitors the login, and tells customers that they may not change the PayPal e-mail', () => {
  act(() => changeSession({ status: 'signed-out' }));
  open();
  expect(screen.getByRole('link', { name: 'Login' })).toBeTruthy();
  act(() => changeSession({ status: 'signed-in', account: { ...admin, role: 'Customer' } }));
  expect(screen.getByText(/don't have any permission/)).toBeTruthy();
});
