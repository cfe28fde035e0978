/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { useQuery } from '../../workspace/query.js';
import { AuthenticatorApp } from './AuthenticatorApp.js';

test('a refusal that names a field which the form does not have is shown', async () => {
  openScreen(
    () => <AuthenticatorApp totp={null} onAdded={async () => undefined} onRemoved={() => undefined} />,
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

test('an app that an earlier attempt has set up, whose answer was lost, is shown as set up', async () => {
  let totp: { since: string } | null = null;
  openScreen(
    () => {
      const { data } = useQuery('GET /auth/security');
      return data ? (
        <AuthenticatorApp totp={data.totp} onAdded={async () => undefined} onRemoved={() => undefined} />
      ) : null;
    },
    (call) => {
      if (call === 'GET /auth/security') return Response.json({ totp });
      if (call === 'POST /auth/totp')
        return Response.json({ secret: 'ABCD', uri: 'otpauth://totp/x', qr: { size: 1, path: '' } });
      totp = { since: '2026-01-01T00:00:00.000Z' };
      const errors = [{ field: 'code', message: 'This code is incorrect or was already used.' }];
      return Response.json({ code: 'INVALID_INPUT', errors }, { status: 400 });
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Set up app' }));
  fireEvent.change(await screen.findByLabelText('6-digit code'), { target: { value: '123456' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Finish setup' })));
  await screen.findByRole('button', { name: 'Remove app' });
});
