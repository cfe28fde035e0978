/** @jest-environment ./web/dom-environment.mjs */
import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { Passkeys } from '../features/security/Passkeys.js';
import { PasskeySignIn } from '../features/session/PasskeySignIn.js';
import { SecondStep } from '../features/session/SecondStep.js';
import { openScreen } from '../workspace/open-screen.js';
import { FreshSignIn } from '../workspace/FreshSignIn.js';
import { callApi, unreachable } from '../lib/api.js';

jest.unstable_mockModule('@simplewebauthn/browser', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

const passkey = {
  id: '1',
  name: 'My phone',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
  synced: false,
};
const security = { password: true, google: false, totp: null, passkeys: [passkey], recoveryCodesLeft: 0 };

function site(call: string): Response {
  return call === 'GET /auth/security'
    ? Response.json(security)
    : Response.json({ code: 'FRESH_SIGN_IN_REQUIRED' }, { status: 403 });
}

test.each<[where: string, button: string, ComponentType]>([
  ['the login', 'Sign in with a passkey', PasskeySignIn],
  ['the second step', 'Use a passkey', () => <SecondStep methods={undefined} restart={() => undefined} />],
  ['the dialog for a fresh sign-in', 'Use a passkey', FreshSignIn],
  [
    'the form for a new passkey',
    'Continue',
    () => <Passkeys passkeys={[]} onAdded={async () => undefined} onRemoved={() => undefined} />,
  ],
])(
  'if the code for passkeys cannot be loaded, %s says that the site cannot be reached, and its button can be pressed again',
  async (_, name, Screen) => {
    openScreen(Screen, site);
    const add = screen.queryByRole('button', { name: 'Add passkey' });
    if (add) {
      fireEvent.click(add);
      fireEvent.change(screen.getByLabelText('Passkey name'), { target: { value: 'My phone' } });
    }
    // The refusal of this call opens the dialog.
    if (Screen === FreshSignIn) await act(async () => void callApi('POST /auth/totp'));
    fireEvent.click(await screen.findByRole('button', { name }));
    await screen.findByText(unreachable.sentence);
    expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).not.toBe('true');
  },
);
