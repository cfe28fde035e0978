/** @jest-environment ./web/dom-environment.mjs */
import { jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { PageDataStore } from '../lib/page-data-store.js';
import { answerCalls, emptyPageData } from '../workspace/open-screen.js';
import { App } from './App.js';

jest.unstable_mockModule('../workspace/AccountMenu.js', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

test('if the code of the account menu cannot be loaded, the page is still shown', async () => {
  const account = { id: 'ada', email: 'ada@example.com', emailVerified: true, role: 'Customer', name: null };
  document.cookie = 'signed_in=1';
  answerCalls((call) => (call === 'GET /auth/me' ? Response.json({ account }) : undefined));
  const store = new PageDataStore({ ...emptyPageData, readAt: Date.now() });
  await act(async () => {
    render(
      <MemoryRouter>
        <App store={store}>
          <h1>Our prices</h1>
        </App>
      </MemoryRouter>,
    );
  });
  // For people who are signed in.
  await screen.findAllByText('Dashboard');
  await act(async () => void (await import('../workspace/AccountMenu.js').catch(() => undefined)));
  screen.getByRole('heading', { name: 'Our prices' });
});
