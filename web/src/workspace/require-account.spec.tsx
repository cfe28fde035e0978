/** @jest-environment ./web/dom-environment.mjs */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import { BrowserRouter } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { changeSession } from '../lib/session.js';
import { useAccount } from './current-screen.js';
import { answerCalls, type FakeSite } from './open-screen.js';
import { useRead } from './query.js';
import { RequireAccount } from './RequireAccount.js';

const site = jest.fn<FakeSite>();
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
  site.mockReset();
  document.cookie = 'signed_in=1';
  answerCalls((call) =>
    call === 'GET /auth/me' ? Response.json({ account: accountOf('ada') }) : site(call),
  );
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
  site.mockReturnValueOnce(Response.json(['Ada’s order']));
  open();
  await waitFor(() => expect(shown()).toBe('ada: Ada’s order'));
  site.mockReturnValueOnce(new Promise(() => undefined));
  await signIn('grace');
  expect(shown()).toBe('grace: nothing yet');
});

test('data stays when the same account signs in again', async () => {
  site.mockReturnValueOnce(Response.json(['Ada’s order']));
  open();
  await waitFor(() => expect(shown()).toBe('ada: Ada’s order'));
  await signIn('ada');
  expect(shown()).toBe('ada: Ada’s order');
  expect(site).toHaveBeenCalledTimes(1);
});
