/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { Page } from '../../lib/page.js';
import { ScreenContext } from '../../workspace/current-screen.js';
import { LeaveDialog } from '../../workspace/LeaveDialog.js';
import { useLeaveGuard } from '../../workspace/leave-guard.js';
import { type FakeApi, openScreen } from '../../workspace/open-screen.js';
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
  nav: { text: 'Monthly plans', searchable: true, ifPlans: true },
  load,
};

async function search(api: FakeApi, content?: ReactNode): Promise<void> {
  const Screen = () => {
    const { pathname } = useLocation();
    return (
      <ScreenContext value={{ screen: orders, screens: [orders, plans] }}>
        <AdminScreen>
          At {pathname}
          {content}
        </AdminScreen>
      </ScreenContext>
    );
  };
  await act(async () => openScreen(Screen, api, { path: '*', at: '/total-orders' }));
  fireEvent.change(field(), { target: { value: 'Ada' } });
}

/** Without an offer, the navigation has no monthly plans. */
const offer =
  (available: boolean): FakeApi =>
  (call) =>
    call === 'GET /plan-subscriptions/offer' ? Response.json({ available }) : undefined;

/** The navigation has one, and so has the menu that replaces it in narrow windows. */
const field = () => screen.getAllByRole('combobox', { name: 'Find a screen' })[0]!;
const found = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

test.each([
  [true, ['‘Ada’ in orders', '‘Ada’ in monthly plans']],
  [false, ['‘Ada’ in orders']],
])(
  'a search in a list is offered if the navigation has the list (monthly plans: %s)',
  async (hasPlans, expected) => {
    await search(offer(hasPlans));
    await waitFor(() => expect(found()).toEqual(expected));
  },
);

test('the result that the arrow keys chose stays chosen when records are loaded and come before it', async () => {
  let answer = (_records: unknown[]): void => {};
  const records = new Promise<unknown[]>((resolve) => (answer = resolve));
  // Mail texts are a section that only admins can read, so the search loads them.
  await search((call, body) =>
    call === 'GET /mail-texts' ? records.then((loaded) => Response.json(loaded)) : offer(true)(call, body),
  );
  await waitFor(() => expect(found()).toEqual(['‘Ada’ in orders', '‘Ada’ in monthly plans']));
  fireEvent.keyDown(field(), { key: 'ArrowDown' });
  const announced = () => document.getElementById(field().getAttribute('aria-activedescendant')!);
  expect(announced()?.textContent).toBe('‘Ada’ in monthly plans');

  await act(async () =>
    answer([{ _id: '019a0000-0000-7000-8000-000000000001', version: 1, subject: 'Ada' }]),
  );
  await waitFor(() => expect(found()).toHaveLength(3));
  expect(announced()?.textContent).toBe('‘Ada’ in monthly plans');
  expect(screen.getByRole('option', { selected: true })).toBe(announced());
  await act(async () => void fireEvent.submit(field().closest('form')!));
  expect(screen.getByText('At /admin/monthly-plans')).toBeTruthy();
});

test('if the screen has unsaved changes, Enter asks before it opens the chosen result', async () => {
  const UnsavedForm = () => <LeaveDialog leaving={useLeaveGuard(true)} />;
  await search(offer(true), <UnsavedForm />);
  await waitFor(() => expect(found()).toHaveLength(2));
  fireEvent.keyDown(field(), { key: 'ArrowDown' });
  await act(async () => void fireEvent.submit(field().closest('form')!));
  screen.getByText('Leave without saving?');
  screen.getByText('At /total-orders');
});

test('Escape clears the search, unless an input method is composing a character', async () => {
  await search(offer(false));
  await waitFor(() => expect(found()).toEqual(['‘Ada’ in orders']));
  fireEvent.keyDown(field(), { key: 'Escape', isComposing: true });
  expect(field()).toHaveProperty('value', 'Ada');
  fireEvent.keyDown(field(), { key: 'Escape' });
  expect(field()).toHaveProperty('value', '');
});

test('opening a result clears the search, even if the result is on the same screen', async () => {
  await search(offer(false));
  await waitFor(() => expect(found()).toEqual(['‘Ada’ in orders']));
  await act(async () => void fireEvent.submit(field().closest('form')!));
  screen.getByText('At /total-orders');
  expect(field()).toHaveProperty('value', '');
});
