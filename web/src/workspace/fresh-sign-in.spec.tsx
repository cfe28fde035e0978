/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import type { SignInSecurity } from '#libs/contracts';
import { callApi } from '../lib/api.js';
import { FreshSignIn } from './FreshSignIn.js';
import { openScreen } from './open-screen.js';

const passkey = {
  id: '1',
  name: 'My phone',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
  synced: false,
};
const passwordOnly: SignInSecurity = {
  password: true,
  google: false,
  totp: null,
  passkeys: [],
  recoveryCodesLeft: 0,
  required: false,
};
const withPasskey = { passkeys: [passkey], recoveryCodesLeft: 10 };
const withApp = { totp: { since: '2026-01-01T00:00:00.000Z' }, recoveryCodesLeft: 10 };

async function openDialog(security: SignInSecurity): Promise<void> {
  openScreen(FreshSignIn, (call) =>
    call === 'GET /auth/security'
      ? Response.json(security)
      : Response.json({ code: 'FRESH_SIGN_IN_REQUIRED' }, { status: 403 }),
  );
  await act(async () => void callApi('POST /auth/totp'));
  await screen.findByRole('button', { name: 'Cancel' });
}

test.each<[string, Partial<SignInSecurity>, string[], string[]]>([
  ['a password', {}, ['Password'], ['Confirm']],
  ['a password and an app', withApp, ['Password', 'Code from your app, or a recovery code'], ['Confirm']],
  ['a password and a passkey', withPasskey, ['Password', 'Recovery code'], ['Use a passkey', 'Confirm']],
  ['a password and a passkey, without recovery codes', { passkeys: [passkey] }, [], ['Use a passkey']],
  ['Google', { password: false, google: true }, [], ['Confirm with Google']],
  ['Google and an app', { password: false, google: true, ...withApp }, [], []],
])('accounts with %s are asked only for what they can confirm with', async (_, security, fields, buttons) => {
  await openDialog({ ...passwordOnly, ...security });
  const labels = [...document.querySelectorAll('label')].map(({ textContent }) => textContent.trim());
  expect(labels).toEqual(fields);
  const offered = screen.getAllByRole('button').map(({ textContent }) => textContent);
  expect(offered.filter((name) => name !== 'Show password' && name !== 'Cancel')).toEqual(buttons);
  const isStuck = fields.length === 0 && buttons.length === 0;
  expect(screen.queryByText(/You can’t confirm your identity here/) !== null).toBe(isStuck);
  // Otherwise the dialog would still be open in the next test.
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
});

test('an error links to the password field of the dialog, even if the screen behind it has one, too', async () => {
  openScreen(
    () => (
      <>
        <input id="password" aria-label="New password" />
        <FreshSignIn />
      </>
    ),
    (call) => {
      if (call === 'GET /auth/security') return Response.json(passwordOnly);
      if (call === 'POST /auth/totp')
        return Response.json({ code: 'FRESH_SIGN_IN_REQUIRED' }, { status: 403 });
      const errors = [{ field: 'password', message: 'This isn’t your password.' }];
      return Response.json({ code: 'INVALID_INPUT', errors }, { status: 400 });
    },
  );
  await act(async () => void callApi('POST /auth/totp'));
  const field = await screen.findByLabelText<HTMLInputElement>('Password');
  fireEvent.change(field, { target: { value: 'wrong horse' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Confirm' })));
  screen.getByText('This isn’t your password.');
  fireEvent.click(screen.getByRole('link', { name: 'Password' }));
  expect(document.activeElement).toBe(field);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
});

test('if a second factor was added in another tab meanwhile, the form asks for a code, too', async () => {
  let security = passwordOnly;
  openScreen(FreshSignIn, (call) => {
    if (call === 'GET /auth/security') return Response.json(security);
    if (call === 'POST /auth/totp') return Response.json({ code: 'FRESH_SIGN_IN_REQUIRED' }, { status: 403 });
    const errors = [{ field: 'code', message: 'Enter the 6-digit code from your app, or a recovery code' }];
    return Response.json({ code: 'INVALID_INPUT', errors }, { status: 400 });
  });
  await act(async () => void callApi('POST /auth/totp'));
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'correct horse' } });
  security = { ...passwordOnly, ...withApp };
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Confirm' })));
  await screen.findByLabelText('Code from your app, or a recovery code');
  screen.getByText('Enter the 6-digit code from your app, or a recovery code');
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('correct horse');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
});

test('a call is not repeated after its screen was left', async () => {
  let count = 0;
  openScreen(FreshSignIn, (call) => {
    if (call === 'GET /auth/security') return Response.json(passwordOnly);
    count += 1;
    return Response.json({ code: 'FRESH_SIGN_IN_REQUIRED' }, { status: 403 });
  });
  let answer!: ReturnType<typeof callApi<'POST /auth/totp'>>;
  await act(async () => void (answer = callApi('POST /auth/totp')));
  await screen.findByRole('button', { name: 'Cancel' });
  cleanup();
  expect([(await answer).ok, count]).toEqual([false, 1]);
  openScreen(FreshSignIn, () => undefined);
  expect(screen.queryByText('Confirm it’s you')).toBeNull();
});
