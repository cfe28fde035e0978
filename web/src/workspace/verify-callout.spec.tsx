/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { useSession } from '../lib/session.js';
import { openScreen } from './open-screen.js';
import { VerifyCallout } from './VerifyCallout.js';

function Screen() {
  const session = useSession();
  const isVerified = session.status === 'signed-in' && session.account.emailVerified;
  return isVerified ? 'Confirmed' : <VerifyCallout email="ada@example.com" />;
}

test.each([
  ['that the mail was sent', false, 'Sent. Check your inbox.'],
  ['that the address was confirmed in another tab', true, 'Confirmed'],
])('after a request for a new link, the screen shows %s', async (_, emailVerified, shown) => {
  document.cookie = 'signed_in=1';
  openScreen(Screen, (call) =>
    Response.json(call === 'GET /auth/me' ? { account: { id: 'ada', emailVerified } } : { success: true }),
  );
  await act(async () => void fireEvent.click(screen.getByText('Send new link')));
  await screen.findByText(shown);
});
