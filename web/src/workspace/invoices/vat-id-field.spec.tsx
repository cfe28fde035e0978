/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { answerCalls } from '../open-screen.js';
import { VatIdField } from './VatIdField.js';

afterEach(cleanup);

/** Returns the VAT IDs that were sent, each with a function that answers, and how often `onChecked` was called. */
function open() {
  const checks: { vatId: string; answer(response: Response): void }[] = [];
  answerCalls(
    (_, body) =>
      new Promise((answer) => void checks.push({ vatId: (body as { vatId: string }).vatId, answer })),
  );
  const field = { name: 'vatId', error: undefined, onBlur: () => {}, onChange: () => {} };
  const result = { checks, checkedCount: 0 };
  render(
    <VatIdField
      field={field}
      initialValue={undefined}
      initialState={null}
      onChecked={() => (result.checkedCount += 1)}
    />,
  );
  return result;
}

async function enter(vatId: string): Promise<void> {
  const input = screen.getByLabelText('VAT ID');
  fireEvent.change(input, { target: { value: vatId } });
  await act(async () => void fireEvent.blur(input));
}

const shown = () => screen.getByRole('status').textContent;

test('if the check fails, the field says so, and leaving it again repeats the check', async () => {
  const result = open();
  await enter('DE123456789');
  await act(async () => result.checks[0]!.answer(Response.json({}, { status: 503 })));
  expect(shown()).toBe('Not checkedWe couldn’t check this VAT ID. You can continue anyway.');
  expect(result.checkedCount).toBe(0);
  await enter('DE123456789');
  await act(async () => result.checks[1]!.answer(Response.json({ state: 'valid' })));
  expect(shown()).toContain('Valid');
  expect(result.checkedCount).toBe(1);
});

test('an answer that arrives after another VAT ID was entered is ignored', async () => {
  const result = open();
  await enter('DE123456789');
  await enter('FR12345678901');
  await act(async () => result.checks[0]!.answer(Response.json({ state: 'valid' })));
  expect(shown()).toBe('');
  expect(result.checkedCount).toBe(0);
  await act(async () => result.checks[1]!.answer(Response.json({ state: 'invalid' })));
  expect(shown()).toContain('Not valid');
  expect(result.checkedCount).toBe(1);
  expect(result.checks.map(({ vatId }) => vatId)).toEqual(['DE123456789', 'FR12345678901']);
});

test('the result of a check disappears when another VAT ID is typed', async () => {
  const result = open();
  await enter('DE123456789');
  await act(async () => result.checks[0]!.answer(Response.json({ state: 'valid' })));
  expect(shown()).toContain('Valid');
  fireEvent.change(screen.getByLabelText('VAT ID'), { target: { value: 'DE12345678' } });
  expect(shown()).toBe('');
});
