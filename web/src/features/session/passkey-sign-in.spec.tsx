/** @jest-environment ./web/dom-environment.mjs */
import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { PasskeySignIn } from './PasskeySignIn.js';

/** The browser lists passkeys at the e-mail field (`offer`), or asks for one in a dialog. */
type Ceremony = 'offer' | 'dialog';

/** Like the browser, which has at most one ceremony at a time. */
let underWay: { kind: Ceremony; choose(): void; end(errorName: string): void } | undefined;
const begun: Ceremony[] = [];

function startAuthentication({ useBrowserAutofill }: { useBrowserAutofill: boolean }): Promise<object> {
  underWay?.end('AbortError');
  const kind = useBrowserAutofill ? 'offer' : 'dialog';
  begun.push(kind);
  return new Promise((resolve, reject) => {
    underWay = {
      kind,
      choose() {
        underWay = undefined;
        resolve({ id: 'passkey' });
      },
      end(errorName) {
        underWay = undefined;
        reject(Object.assign(new Error(errorName), { name: errorName }));
      },
    };
  });
}

jest.unstable_mockModule('@simplewebauthn/browser', () => ({
  ...{ startAuthentication, browserSupportsWebAuthnAutofill: async () => true, startRegistration: undefined },
  WebAuthnAbortService: { cancelCeremony: () => underWay?.end('AbortError') },
}));

test('once the dialog of the button is cancelled, the browser offers passkeys at the e-mail field again', async () => {
  openScreen(PasskeySignIn, () => Response.json({ options: {} }));
  await waitFor(() => expect(begun).toEqual(['offer']));
  const button = screen.getByRole('button', { name: 'Sign in with a passkey' });
  fireEvent.click(button);
  // A double click opens one dialog, which stays.
  fireEvent.click(button);
  await waitFor(() => expect(begun).toEqual(['offer', 'dialog']));
  expect(underWay?.kind).toBe('dialog');
  await act(async () => underWay?.end('NotAllowedError'));
  await waitFor(() => expect(begun).toEqual(['offer', 'dialog', 'offer']));
  expect(underWay?.kind).toBe('offer');
  expect(screen.getByRole('alert').textContent).toBe('');
});

test('the browser’s list is offered again before the server stops accepting the answer', async () => {
  begun.length = 0;
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] });
  try {
    const calls: string[] = [];
    openScreen(PasskeySignIn, (call) => {
      calls.push(call);
      return Response.json({ options: {} });
    });
    await act(() => jest.advanceTimersByTimeAsync(15 * 60_000));
    expect(begun).toEqual(['offer', 'offer']);
    expect(calls).toEqual(['POST /auth/passkey/options', 'POST /auth/passkey/options']);
  } finally {
    jest.useRealTimers();
  }
});

test('the browser’s list is offered again after the connection was lost', async () => {
  begun.length = 0;
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] });
  try {
    let isOnline = false;
    openScreen(PasskeySignIn, () => Response.json({ options: {} }, { status: isOnline ? 200 : 503 }));
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(begun).toEqual([]);
    isOnline = true;
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    expect(begun).toEqual(['offer']);
  } finally {
    jest.useRealTimers();
  }
});

test('if a passkey from the browser’s list is refused, the list is offered again', async () => {
  begun.length = 0;
  openScreen(PasskeySignIn, (call) =>
    call === 'POST /auth/passkey'
      ? Response.json({ detail: 'This passkey isn’t known.' }, { status: 401 })
      : Response.json({ options: {} }),
  );
  await waitFor(() => expect(begun).toEqual(['offer']));
  await act(async () => underWay?.choose());
  await screen.findByText('This passkey isn’t known.');
  await waitFor(() => expect(begun).toEqual(['offer', 'offer']));
});

test('if a passkey from the browser’s list is refused while the dialog of the button is open, the dialog stays', async () => {
  begun.length = 0;
  let refuse!: () => void;
  openScreen(PasskeySignIn, (call) =>
    call === 'POST /auth/passkey'
      ? new Promise((resolve) => (refuse = () => resolve(Response.json({}, { status: 401 }))))
      : Response.json({ options: {} }),
  );
  await waitFor(() => expect(begun).toEqual(['offer']));
  await act(async () => underWay?.choose());
  await waitFor(() => expect(refuse).toBeDefined());
  fireEvent.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
  await waitFor(() => expect(begun).toEqual(['offer', 'dialog']));
  await act(async () => refuse());
  // By now, a new offer would have begun.
  await act(async () => {});
  expect(begun).toEqual(['offer', 'dialog']);
  expect(underWay?.kind).toBe('dialog');
});
