/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Passkey } from '#libs/contracts';
import { answerCalls } from '../../workspace/open-screen.js';
import { QueryProvider } from '../../workspace/QueryProvider.js';

jest.unstable_mockModule('../../lib/load-passkey-code.js', () => ({
  loadPasskeyCode: async () => ({ makePasskey: async () => ({ passkey: { id: 'new' } }) }),
}));
// A mock only replaces a module that is imported after it.
const { Passkeys } = await import('./Passkeys.js');

afterEach(cleanup);

const passkey = (name: string): Passkey => ({
  ...{ id: name, name, createdAt: '2026-01-01T00:00:00.000Z', lastUsedAt: null, synced: false },
});

test('only one form is open at a time, because the fields of all forms have the same id', () => {
  render(
    <QueryProvider>
      <Passkeys
        passkeys={[passkey('My phone'), passkey('My laptop')]}
        onAdded={async () => undefined}
        onRemoved={() => undefined}
      />
    </QueryProvider>,
  );
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  const forms = () => screen.queryAllByRole('form').map((form) => form.getAttribute('aria-label'));
  press('Add passkey');
  expect(forms()).toEqual(['Add passkey']);
  press('Rename My phone');
  expect(forms()).toEqual(['Rename My phone']);
  press('Rename My laptop');
  expect(forms()).toEqual(['Rename My laptop']);
  press('Cancel');
  expect(forms()).toEqual([]);
});

test('a passkey that was already removed on another device counts as removed', async () => {
  answerCalls(() => Response.json({ code: 'NOT_FOUND' }, { status: 404 }));
  render(
    <QueryProvider>
      <Passkeys
        passkeys={[passkey('My phone')]}
        onAdded={async () => undefined}
        onRemoved={() => undefined}
      />
    </QueryProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Remove My phone' }));
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Remove passkey' })));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each(['Rename My phone', 'Add passkey'])(
  'after ‘%s’ is cancelled, its button has the focus again',
  async (name) => {
    render(
      <QueryProvider>
        <Passkeys
          passkeys={[passkey('My phone')]}
          onAdded={async () => undefined}
          onRemoved={() => undefined}
        />
      </QueryProvider>,
    );
    fireEvent.click(screen.getByRole('button', { name }));
    const cancel = screen.getByRole('button', { name: 'Cancel' });
    cancel.focus();
    fireEvent.click(cancel);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name })));
  },
);

test('if a new passkey is refused because of a field that the form does not have, the refusal is shown', async () => {
  const calls: string[] = [];
  answerCalls((call) => {
    calls.push(call);
    return Response.json(
      { detail: 'This can’t be accepted.', errors: [{ field: 'passkey', message: 'is incomplete' }] },
      { status: 400 },
    );
  });
  render(
    <QueryProvider>
      <Passkeys passkeys={[]} onAdded={async () => undefined} onRemoved={() => undefined} />
    </QueryProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Add passkey' }));
  fireEvent.change(screen.getByLabelText('Passkey name'), { target: { value: 'My phone' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Continue' })));
  await screen.findByText('This can’t be accepted.');
  expect(calls).toEqual(['POST /auth/passkeys']);
});
