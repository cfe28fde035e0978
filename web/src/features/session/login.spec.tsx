/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, describe, expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { type Account, type ErrorCode, errorSentences } from '#libs/contracts';
import { changeSession } from '../../lib/session.js';
import { openScreen } from '../../workspace/open-screen.js';
import { Component as Login } from './login.route.js';

afterEach(() => {
  sessionStorage.clear();
  document.cookie = 'signed_in=0';
});

async function signIn(): Promise<void> {
  fireEvent.change(screen.getByLabelText('E-mail'), { target: { value: 'ada@example.com' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Login' })));
}

test.each<[ErrorCode, ErrorCode]>([
  ['SESSION_ENDED', 'SESSION_ENDED'],
  ['UNAUTHENTICATED', 'UNAUTHENTICATED'],
  // Only the codes in `reportableCodes` are shown with their own sentences.
  ['FORBIDDEN', 'INTERNAL'],
])('after a return from Google with %s, the login shows the sentence of %s', async (code, shown) => {
  openScreen(Login, () => undefined, { path: '/login', at: `/login?problem=${code}` });
  await screen.findByText(errorSentences[shown]);
});

const secondStepRequired = (methods: string[]) =>
  Response.json({ code: 'SECOND_FACTOR_REQUIRED', secondFactor: { methods } }, { status: 401 });

const offeredButtons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

describe.each<[string[], string, string[]]>([
  [['totp', 'recoveryCode'], 'Code', []],
  [['passkey', 'recoveryCode'], 'Recovery code', ['Use a passkey']],
  [['totp', 'passkey', 'recoveryCode'], 'Code', ['Use a passkey']],
])('the second step for %p asks for “%s” and offers %p', (methods, label, buttons) => {
  test('after the password', async () => {
    const api = (call: string) => (call === 'POST /auth/login' ? secondStepRequired(methods) : undefined);
    openScreen(Login, api, { path: '/login' });
    await signIn();
    screen.getByLabelText(label);
    expect(offeredButtons()).toEqual(['Continue', ...buttons, 'Start over']);
  });

  test('after Google', async () => {
    const at = `/login?step=second-factor&methods=${methods.join()}`;
    openScreen(Login, () => undefined, { path: '/login', at });
    await screen.findByLabelText(label);
    expect(offeredButtons()).toEqual(['Continue', ...buttons, 'Start over']);
  });
});

test('after Google, the second step offers a code and a passkey if the address does not name the account’s methods', async () => {
  openScreen(Login, () => undefined, { path: '/login', at: '/login?step=second-factor' });
  await screen.findByLabelText('Code');
  screen.getByRole('button', { name: 'Use a passkey' });
});

test('after “Start over”, signing in still leads to the screen from which the person was sent to the login', async () => {
  let answer = secondStepRequired(['totp', 'recoveryCode']);
  const api = (call: string) => (call === 'POST /auth/login' ? answer : undefined);
  // The return path of an earlier sign-in with Google in this tab, which must not be used.
  sessionStorage.setItem('sign-in-return-path', '/projects');
  openScreen(
    () => (
      <Routes>
        <Route path="/" element={<Navigate to="/login" state={{ from: '/orders' }} />} />
        <Route path="/login" element={<Login />} />
        <Route path="/orders" element="The orders" />
      </Routes>
    ),
    api,
    { path: '*', at: '/' },
  );
  await signIn();
  fireEvent.click(await screen.findByRole('button', { name: 'Start over' }));
  answer = Response.json({ account: { id: 'ada' } });
  await signIn();
  await screen.findByText('The orders');
});

test.each([
  ['then signs in with a password', 'The dashboard', 'signed-out'],
  ['was already signed in', 'We couldn’t confirm it’s you', 'signed-in'],
] as const)('after a failed sign-in with Google, a person who %s sees “%s”', async (_who, shown, status) => {
  const ada = { id: 'ada' } as Account;
  document.cookie = `signed_in=${status === 'signed-in' ? 1 : 0}`;
  changeSession(status === 'signed-in' ? { status, account: ada } : { status });
  openScreen(
    () => (
      <Routes>
        <Route path="/login" element={<Login />} />
        <Route path="/dashboard" element="The dashboard" />
      </Routes>
    ),
    () => Response.json({ account: ada }),
    { path: '*', at: '/login?problem=UNAVAILABLE' },
  );
  if (status === 'signed-out') await signIn();
  await screen.findByText(shown);
});
