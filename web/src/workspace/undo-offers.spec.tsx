/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { Account } from '#libs/contracts';
import { AccountContext } from './current-screen.js';
import { QueryProvider } from './QueryProvider.js';
import { offerUndo } from './undo.js';
import { UndoOffers } from './UndoOffers.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

/** A screen of this person. */
function open(id: string): void {
  cleanup();
  render(
    <QueryProvider>
      <AccountContext value={{ id } as Account}>
        <UndoOffers />
      </AccountContext>
    </QueryProvider>,
  );
}
const offer = () => act(() => offerUndo('Item is Deleted', async () => undefined));
const isOffered = () => screen.queryByText('Item is Deleted') !== null;

test('an offer stays on the next screen, but not for the next person', () => {
  open('ada');
  offer();
  open('ada');
  expect(isOffered()).toBe(true);
  open('grace');
  expect(isOffered()).toBe(false);
});

test('an offer ends 30 seconds after the change, even if no screen shows it meanwhile', () => {
  open('ada');
  offer();
  cleanup();
  act(() => jest.advanceTimersByTime(29_000));
  open('ada');
  expect(isOffered()).toBe(true);
  act(() => jest.advanceTimersByTime(1_001));
  expect(isOffered()).toBe(false);
});
