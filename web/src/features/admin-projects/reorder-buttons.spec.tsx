/** @jest-environment ./web/dom-environment.mjs */
import { useState } from 'react';
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { ReorderButtons } from './ReorderButtons.js';

afterEach(cleanup);

function Host() {
  const [names, setNames] = useState(['Crawl', 'Report', 'Call']);
  return names.map((name, index) => {
    const move = (to: number) => setNames((all) => all.toSpliced(index, 1).toSpliced(to, 0, name));
    return <ReorderButtons key={name} {...{ name, index, move }} count={names.length} />;
  });
}

test('the pressed button keeps the focus while its item moves to the end of the list, and the new place is announced', () => {
  render(<Host />);
  const down = screen.getByRole('button', { name: 'Move Crawl down' });
  down.focus();
  fireEvent.click(down);
  fireEvent.click(down);
  // The item is at the end: this click must not move it, or the focus.
  fireEvent.click(down);
  expect(screen.getAllByRole('button', { name: /down/ })[2]).toBe(down);
  expect(document.activeElement).toBe(down);
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    '',
    '',
    'Number 3 of 3',
  ]);
});

test('only the place of the item that was moved last is announced', () => {
  render(<Host />);
  fireEvent.click(screen.getByRole('button', { name: 'Move Report up' }));
  fireEvent.click(screen.getByRole('button', { name: 'Move Call up' }));
  fireEvent.click(screen.getByRole('button', { name: 'Move Call up' }));
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    'Number 1 of 3',
    '',
    '',
  ]);
});
