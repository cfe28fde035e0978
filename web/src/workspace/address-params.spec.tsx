/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { BrowserRouter } from 'react-router-dom';
import { useListFilter } from './list-filter.js';
import { useSort } from './sorting.js';

function List() {
  const filter = useListFilter(['search', 'section']);
  const { sort } = useSort(['date', 'name'], 'date');
  return (
    <button
      type="button"
      onClick={() => {
        filter.field('search').change('ada');
        filter.field('section').change('banner');
        sort.change('name');
      }}
    >
      Change
    </button>
  );
}

afterEach(cleanup);

test('changes in quick succession all take effect, and lead back to the first page', async () => {
  window.history.replaceState({}, '', '/list?section=faqItem&page=3');
  render(
    <BrowserRouter>
      <List />
    </BrowserRouter>,
  );
  await act(async () => void fireEvent.click(screen.getByText('Change')));
  expect(window.location.search).toBe('?section=banner&search=ada&sort=name&direction=asc');
});
