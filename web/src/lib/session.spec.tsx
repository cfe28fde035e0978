/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { useSession } from './session.js';

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

test('an outage during the renewal of a session does not sign the person out', async () => {
  jest.useFakeTimers();
  document.cookie = 'signed_in=1';
  let isDown = true;
  const account = { id: 'ada', email: 'ada@example.com', emailVerified: true, role: 'Customer', name: null };
  globalThis.fetch = async (path) => {
    if (!isDown) return Response.json({ account });
    return path === '/auth/me'
      ? Response.json({ code: 'UNAUTHENTICATED' }, { status: 401 })
      : Response.json({ code: 'UNAVAILABLE', detail: 'Not now.' }, { status: 503 });
  };
  function Status() {
    const session = useSession();
    return <p>{'problem' in session ? session.problem?.sentence : session.status}</p>;
  }
  await act(async () => void render(<Status />));
  screen.getByText('Not now.');
  isDown = false;
  await act(() => jest.advanceTimersByTimeAsync(3_000));
  expect(screen.getByText('signed-in')).toBeTruthy();
});
