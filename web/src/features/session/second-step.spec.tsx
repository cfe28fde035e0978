/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { SecondStep } from './SecondStep.js';

const realFetch = globalThis.fetch;
afterEach(() => {
  cleanup();
  globalThis.fetch = realFetch;
});

const problems: Record<string, object> = {
  '/auth/second-factor': {
    ...{ detail: 'Please fix the highlighted fields.', code: 'INVALID_CODE' },
    errors: [{ field: 'code', message: 'This code is wrong.' }],
  },
  '/auth/second-factor/options': { detail: 'Not now.', code: 'OVERLOADED' },
};

test('a passkey that fails after a wrong code says why, and another wrong code clears that message', async () => {
  globalThis.fetch = (async (path: string) => Response.json(problems[path], { status: 400 })) as typeof fetch;
  render(<SecondStep restart={() => undefined} />);
  const code = screen.getByLabelText<HTMLInputElement>('Code');
  fireEvent.change(code, { target: { value: '000000' } });
  await act(async () => void fireEvent.submit(code.form!));
  await screen.findByText('This code is wrong.');
  expect(screen.getByRole('alert').textContent).toBe('');
  fireEvent.click(screen.getByRole('button', { name: 'Use a passkey' }));
  await screen.findByText('Not now.');
  await act(async () => void fireEvent.submit(code.form!));
  expect(screen.getByRole('alert').textContent).toBe('');
});
