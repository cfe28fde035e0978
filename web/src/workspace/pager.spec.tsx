/** @jest-environment ./web/dom-environment.mjs */
import { useState } from 'react';
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Pager } from './Pager.js';

afterEach(cleanup);

function Pages({ pages }: { pages: number }) {
  const [page, go] = useState(1);
  return <Pager label="orders" list={{ page, pages, size: 10, sizes: [], go, resize: () => {} }} />;
}

test.each([2, 3])('the focus moves to the other button at the ends of %i pages', (pages) => {
  render(<Pages pages={pages} />);
  const button = (name: string) => screen.getByRole('button', { name });
  button('Next').focus();
  for (let page = 1; page < pages; page += 1) fireEvent.click(button('Next'));
  expect(document.activeElement).toBe(button('Previous'));
  for (let page = pages; page > 1; page -= 1) fireEvent.click(button('Previous'));
  expect(document.activeElement).toBe(button('Next'));
});
