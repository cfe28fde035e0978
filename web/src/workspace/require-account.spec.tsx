/** @jest-environment ./web/dom-environment.mjs */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { BrowserRouter, Route, Routes, useLocation } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { changeSession } from '../lib/session.js';
import { useAccount } from './current-screen.js';
import { LeaveDialog } from './LeaveDialog.js';
import { useLeaveGuard } from './leave-guard.js';
import { answerCalls, type FakeApi } from './open-screen.js';
import { useRead } from './query.js';
import { RequireAccount } from './RequireAccount.js';
import { useSignOut } from './sign-out.js';

const api = jest.fn<FakeApi>();
const accountOf = (id: string): Account => ({
  id,
  email: `${id}@example.com`,
  emailVerified: true,
  role: 'Customer',
  name: null,
});

function Orders() {
  const { data } = useRead('/orders');
  return (
    <p role="main">
      {useAccount().id}: {String(data ?? 'nothing yet')}
    </p>
  );
}

const shown = () => screen.getByRole('main').textContent;
const signIn = (id: string) =>
  act(async () => changeSession({ status: 'signed-in', account: accountOf(id) }));

beforeEach(async () => {
  api.mockReset();
  document.cookie = 'signed_in=1';
  answerCalls((call) => (call === 'GET /auth/me' ? Response.json({ account: accountOf('ada') }) : api(call)));
  await signIn('ada');
});

function open() {
  render(
    <BrowserRouter>
      <RequireAccount access="account">
        <Orders />
      </RequireAccount>
    </BrowserRouter>,
  );
}

test('data that one account has read is not shown to another one', async () => {
  api.mockReturnValueOnce(Response.json(['Ada’s order']));
  open();
  await waitFor(() => expect(shown()).toBe('ada: Ada’s order'));
  api.mockReturnValueOnce(new Promise(() => undefined));
  await signIn('grace');
  expect(shown()).toBe('grace: nothing yet');
});

function SignOut() {
  const { signOut } = useSignOut();
  return <button onClick={() => void signOut()}>Sign out</button>;
}

/** A screen that needs an account, at /orders, besides the home page and the login. */
function openOrders(screenOfAccount: ReactNode): void {
  window.history.replaceState({}, '', '/orders');
  render(
    <BrowserRouter>
      <Routes>
        <Route path="/orders" element={<RequireAccount access="account">{screenOfAccount}</RequireAccount>} />
        <Route path="/" element={<p role="main">Home</p>} />
        <Route path="/login" element={<Login />} />
      </Routes>
    </BrowserRouter>,
  );
}

test('signing out leads to the home page, not to a login that returns here', async () => {
  openOrders(<SignOut />);
  api.mockReturnValueOnce(Response.json({}));
  await act(async () => void fireEvent.click(screen.getByRole('button')));
  await waitFor(() => expect(shown()).toBe('Home'));
  expect(window.location.pathname).toBe('/');
});

test('data stays when the same account signs in again', async () => {
  api.mockReturnValueOnce(Response.json(['Ada’s order']));
  open();
  await waitFor(() => expect(shown()).toBe('ada: Ada’s order'));
  await signIn('ada');
  expect(shown()).toBe('ada: Ada’s order');
  expect(api).toHaveBeenCalledTimes(1);
});

/** Its unsaved changes are not kept as a draft. */
function Settings() {
  return (
    <RequireAccount access="account">
      <LeaveDialog leaving={useLeaveGuard(true)} keepsDraft={false} />
    </RequireAccount>
  );
}

function Login() {
  return <p role="main">{JSON.stringify(useLocation().state)}</p>;
}

function openUnsaved() {
  window.history.replaceState({}, '', '/settings?tab=2#team');
  render(
    <BrowserRouter>
      <Routes>
        <Route path="/settings" element={<Settings />} />
        <Route path="/login" element={<Login />} />
      </Routes>
    </BrowserRouter>,
  );
}

const click = (name: string) => act(async () => void fireEvent.click(screen.getByText(name)));

test('after the end of a session, “Other ways to sign in” asks before it leaves a screen with unsaved changes, and the login remembers the screen', async () => {
  openUnsaved();
  await act(async () => changeSession({ status: 'signed-out' }));
  for (const answer of ['Stay', 'Leave']) {
    await click('Other ways to sign in');
    expect(window.location.pathname).toBe('/settings');
    await click(answer);
  }
  expect(shown()).toBe('{"from":"/settings?tab=2#team"}');
});

test.each([
  [['totp', 'recoveryCode'], 'Code from your app, or a recovery code', false],
  [['passkey', 'recoveryCode'], 'Recovery code', true],
])(
  'after the end of a session, the second step for %p asks for “%s”, and offers a passkey: %p',
  async (methods, label, hasPasskey) => {
    api.mockReturnValueOnce(
      Response.json({ code: 'SECOND_FACTOR_REQUIRED', secondFactor: { methods } }, { status: 401 }),
    );
    openUnsaved();
    await act(async () => changeSession({ status: 'signed-out' }));
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
    await click('Login');
    await screen.findByLabelText(label);
    expect(screen.queryByText('Use a passkey') !== null).toBe(hasPasskey);
  },
);

test('after the end of a session, an expired second step can be started over', async () => {
  api.mockImplementation((call) =>
    call === 'POST /auth/login'
      ? Response.json(
          { code: 'SECOND_FACTOR_REQUIRED', secondFactor: { methods: ['totp'] } },
          { status: 401 },
        )
      : Response.json({ code: 'SIGN_IN_EXPIRED', detail: 'This sign-in has expired.' }, { status: 401 }),
  );
  openUnsaved();
  await act(async () => changeSession({ status: 'signed-out' }));
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
  await click('Login');
  fireEvent.change(await screen.findByLabelText(/^Code/), { target: { value: '123456' } });
  await click('Continue');
  await click('Start over');
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
});

test('signing out with unsaved changes does not ask to sign in again', async () => {
  const titles: string[] = [];
  function UnsavedSettings() {
    useLeaveGuard(true);
    return <SignOut />;
  }
  openOrders(<UnsavedSettings />);
  const seen = new MutationObserver(() =>
    document.querySelectorAll('h2').forEach(({ textContent }) => titles.push(textContent)),
  );
  seen.observe(document.body, { childList: true, subtree: true });
  api.mockReturnValueOnce(Response.json({}));
  await click('Sign out');
  await waitFor(() => expect(shown()).toBe('Home'));
  seen.disconnect();
  expect(titles).toEqual([]);
});
