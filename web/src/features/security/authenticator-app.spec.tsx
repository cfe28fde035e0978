/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { AuthenticatorApp } from './AuthenticatorApp.js';

test('a refusal that names a field which the form does not have is shown', async () => {
  openScreen(
    () => <AuthenticatorApp totp={null} onAdded={async () => undefined} />,
    (call) =>
      call === 'POST /auth/totp'
        ? Response.json({ secret: 'ABCD', uri: 'otpauth://totp/x', qr: { size: 1, path: '' } })
        : Response.json(
            { detail: 'This can’t be accepted.', errors: [{ field: 'secret', message: 'is unknown' }] },
            { status: 400 },
          ),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Set up app' }));
  fireEvent.change(await screen.findByLabelText('6-digit code'), { target: { value: '123456' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Finish setup' })));
  await screen.findByText('This can’t be accepted.');
});
