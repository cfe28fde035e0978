/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { SearchField } from './SearchField.js';

const change = jest.fn<(value: string) => void>();
beforeEach(() => {
  change.mockReset();
  jest.useFakeTimers();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const field = () => screen.getByRole<HTMLInputElement>('searchbox');

/** The returned function gives the field another value. */
function openAndFocus(value: string) {
  const { rerender } = render(<SearchField value={value} change={change} />);
  field().focus();
  return (to: string) => rerender(<SearchField value={to} change={change} />);
}
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const pause = () => act(() => jest.advanceTimersByTime(300));

test('the browser’s Back button changes the text even while the field has the focus', () => {
  const show = openAndFocus('ada');
  show('grace');
  expect(field().value).toBe('grace');
});

test('the search that follows a pause leaves the text as it was typed', () => {
  const show = openAndFocus('');
  type('ada ');
  pause();
  expect(change.mock.calls).toEqual([['ada']]);
  show('ada');
  expect(field().value).toBe('ada ');
});

test('‘Show all’ empties the field, even right after typing', () => {
  const show = openAndFocus('ada');
  type('ada l');
  field().blur();
  show('');
  expect(field().value).toBe('');
  pause();
  // The delayed search is for the empty text, not for the typed one.
  expect(change.mock.calls).toEqual([['']]);
});

test('the result of an earlier search does not overwrite what was typed meanwhile', () => {
  const show = openAndFocus('');
  type('ada');
  pause();
  type('ada l');
  show('ada');
  expect(field().value).toBe('ada l');
  pause();
  expect(change).toHaveBeenLastCalledWith('ada l');
});
