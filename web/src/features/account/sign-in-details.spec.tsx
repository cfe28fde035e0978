/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './account.route.js';

const api = (call: string) =>
  ({
    'GET /auth/methods': Response.json({ password: true, google: false }),
    'GET /billing-details': Response.json({ offered: false, details: null }),
    'POST /auth/change-email': Response.json({ sent: true }, { status: 202 }),
  })[call];
const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const focused = () => document.activeElement?.textContent;

test.each(['Change e-mail', 'Change password'])('Cancel returns the focus to ‘%s’', async (name) => {
  openScreen(Component, api);
  await screen.findByRole('button', { name });
  await press(name);
  screen.getByRole('button', { name: 'Cancel' }).focus();
  await press('Cancel');
  await waitFor(() => expect(focused()).toBe(name));
});

test('the focus moves to the answer when the link to a new address was sent', async () => {
  openScreen(Component, api);
  await screen.findByRole('button', { name: 'Change e-mail' });
  await press('Change e-mail');
  const fill = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fill('New e-mail', 'new@example.com');
  fill('Current password', 'a fine long password');
  await press('Send link');
  await waitFor(() => expect(focused()).toMatch(/^If no other account uses new@example.com/));
});
