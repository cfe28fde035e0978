/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MarkdownInput } from './MarkdownInput.js';

beforeEach(() => {
  // jsdom lacks it. If it returns false, the text is inserted by changing the value.
  document.execCommand = () => false;
});
afterEach(cleanup);

test.each([
  ['b', '**bold**'],
  ['B', '**bold**'],
  ['I', '*italic*'],
])('Ctrl and %s formats the text, also with Caps Lock on', (key, value) => {
  const onChange = jest.fn();
  render(<MarkdownInput inputProps={{ id: 'text', name: 'text', value: '', className: '', onChange }} />);
  fireEvent.keyDown(screen.getByRole('textbox'), { key, ctrlKey: true });
  expect(onChange).toHaveBeenCalledWith({ target: { value } });
});
