/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { DayField } from './DayField.js';

const change = jest.fn<(value: string) => void>();
beforeEach(() => {
  change.mockReset();
});
afterEach(cleanup);

const field = () => screen.getByLabelText<HTMLInputElement>('From');

/** Returns a function that renders the field with another value. */
function openAndFocus(value: string) {
  const { rerender } = render(<DayField label="From" value={value} change={change} />);
  field().focus();
  return (to: string) => rerender(<DayField label="From" value={to} change={change} />);
}
const type = (value: string) => fireEvent.change(field(), { target: { value } });

test('the browser’s Back button changes the day even while the field has the focus', () => {
  const show = openAndFocus('');
  type('2026-03-01');
  show('2026-03-01');
  show('');
  expect(field().value).toBe('');
});

test('a required day that is cleared stays empty while the field has the focus, and comes back afterwards', () => {
  render(<DayField label="From" value="2026-03-01" change={change} required />);
  field().focus();
  type('');
  expect(field().value).toBe('');
  field().blur();
  expect(field().value).toBe('2026-03-01');
  expect(change).not.toHaveBeenCalled();
});

test('a half-typed year is not reported, and a value that arrives late does not overwrite what was typed since', () => {
  const show = openAndFocus('2026-03-01');
  type('0202-03-01');
  show('2026-03-01');
  expect(field().value).toBe('0202-03-01');
  type('2025-03-01');
  type('2024-03-01');
  show('2025-03-01');
  expect(field().value).toBe('2024-03-01');
  expect(change.mock.calls).toEqual([['2025-03-01'], ['2024-03-01']]);
});
