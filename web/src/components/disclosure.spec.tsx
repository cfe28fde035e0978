/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { Disclosure } from './Disclosure.js';

afterEach(cleanup);

test('a menu stays open while the focus moves within it, and closes when the focus moves elsewhere', () => {
  render(
    <main tabIndex={-1}>
      <Disclosure className="menu" button="Menu">
        <a href="/pricing">Pricing</a>
      </Disclosure>
      <a href="/elsewhere">Elsewhere</a>
    </main>,
    { wrapper: MemoryRouter },
  );
  const menu = screen.getByText('Menu').parentElement as HTMLDetailsElement;
  menu.open = true;
  act(() => screen.getByText('Menu').focus());
  act(() => screen.getByText('Pricing').focus());
  expect(menu.open).toBe(true);
  // Safari does this when a link is pressed.
  act(() => screen.getByRole('main').focus());
  expect(menu.open).toBe(true);
  act(() => screen.getByText('Pricing').focus());
  act(() => screen.getByText('Elsewhere').focus());
  expect(menu.open).toBe(false);
});
