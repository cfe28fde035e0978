/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Link, MemoryRouter } from 'react-router-dom';
import { emptyPageData } from '../workspace/open-screen.js';
import { PageDataStore } from '../lib/page-data-store.js';
import { App } from './App.js';

const store = new PageDataStore({ ...emptyPageData, readAt: Date.now() });

afterEach(cleanup);

test('every click on a link to a part of the same page scrolls there', async () => {
  const scrolledTo: string[] = [];
  // jsdom has no layout, so it lacks this method.
  Element.prototype.scrollIntoView = function () {
    scrolledTo.push(this.id);
  };
  await act(async () => {
    render(
      <MemoryRouter>
        <App store={store}>
          <Link to="#prices">Prices</Link>
          <h2 id="prices">Our prices</h2>
        </App>
      </MemoryRouter>,
    );
  });
  for (let clicks = 1; clicks <= 4; clicks += 1) {
    await act(async () => void fireEvent.click(screen.getByRole('link', { name: 'Prices' })));
    expect(scrolledTo).toEqual(Array<string>(clicks).fill('prices'));
  }
});
