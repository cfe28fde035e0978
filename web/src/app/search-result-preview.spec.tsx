/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openScreen } from '../workspace/open-screen.js';
import { SearchResultPreview } from './SearchResultPreview.js';

test.each([
  ['at 60 characters', 'x'.repeat(70), `${'x'.repeat(59)}…`],
  ['without splitting a character', `${'x'.repeat(58)}${'😀'.repeat(6)}`, `${'x'.repeat(58)}…`],
])('a long title is cut %s', (_, title, shown) => {
  openScreen(
    () => <SearchResultPreview record={{ _id: '1', page: 'Pricing', title }} />,
    () => undefined,
  );
  screen.getByText(shown);
});
