/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { SecondStep } from './SecondStep.js';

const problems: Record<string, object> = {
  'POST /auth/second-factor': {
    ...{ detail: 'Please fix the highlighted fields.', code: 'INVALID_CODE' },
    errors: [{ field: 'code', message: 'This code is wrong.' }],
  },
  'POST /auth/second-factor/options': { detail: 'Not now.', code: 'OVERLOADED' },
};

test('a passkey that fails after a wrong code has its reason shown, until another wrong code is sent', async () => {
  openScreen(
    () => <SecondStep methods={undefined} restart={() => undefined} />,
    (call) => Response.json(problems[call], { status: 400 }),
  );
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
