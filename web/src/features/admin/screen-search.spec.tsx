/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Page } from '../../lib/page.js';
import { ScreenContext } from '../../workspace/current-screen.js';
import { openScreen } from '../../workspace/open-screen.js';
import { AdminScreen } from './AdminScreen.js';

const load = () => new Promise<never>(() => {});
const orders: Page = {
  path: '/total-orders',
  title: 'Orders',
  access: 'admin',
  nav: { text: 'Orders', searchable: true },
  load,
};
const plans: Page = {
  path: '/admin/monthly-plans',
  access: 'admin',
  nav: { text: 'Monthly plans', searchable: true, ifPlansRenew: true },
  load,
};

/** Opens a screen with the search on a site that offers monthly plans or does not, and searches for ‘Ada’. */
async function search(isOffered: boolean): Promise<void> {
  const Screen = () => (
    <ScreenContext value={{ screen: orders, screens: [orders, plans] }}>
      <AdminScreen>Content</AdminScreen>
    </ScreenContext>
  );
  // Without an offer, the list of monthly plans is empty.
  await act(async () =>
    openScreen(Screen, (call) =>
      call === 'GET /plan-subscriptions/offer' ? Response.json({ available: isOffered }) : undefined,
    ),
  );
  fireEvent.change(screen.getAllByRole('combobox', { name: 'Find a screen' })[0]!, {
    target: { value: 'Ada' },
  });
}

const found = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

test.each([
  [true, ['‘Ada’ in orders', '‘Ada’ in monthly plans']],
  [false, ['‘Ada’ in orders']],
])('lists are searched if the navigation has them (monthly plans: %s)', async (isOffered, expected) => {
  await search(isOffered);
  await waitFor(() => expect(found()).toEqual(expected));
});
