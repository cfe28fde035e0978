/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Account } from '#libs/contracts';
import type { Access, Page } from '../lib/page.js';
import { AccountContext, navigationOf, ScreenContext } from './current-screen.js';
import { useNavigationScreens } from './navigation-screens.js';
import { QueryProvider } from './QueryProvider.js';

let areInvoicesIssued = false;
const api = jest.fn<(path: string) => unknown>();
const realFetch = globalThis.fetch;
const load = () => new Promise<never>(() => {});
const screens: Page[] = (['account', 'admin'] as const).flatMap((access) => [
  { path: `/${access}/orders`, access, nav: { text: 'Orders' }, load },
  { path: `/${access}/plans`, access, nav: { text: 'Monthly plans', ifPlans: true }, load },
  { path: `/${access}/invoices`, access, nav: { text: 'Invoices', ifInvoices: true }, load },
]);

beforeEach(() => {
  api.mockReset();
  areInvoicesIssued = false;
  globalThis.fetch = (async (path: string) =>
    Response.json(path === '/billing-details' ? { offered: areInvoicesIssued } : api(path))) as typeof fetch;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = realFetch;
});

let personCount = 0;

function navigation(area: Access, screen = screens[0]!, role?: Account['role']) {
  const entries = renderNavigation(area, screen, screens, role);
  return () => entries().map(({ text }) => text);
}

function renderNavigation(
  area: Access,
  screen: Page,
  all: readonly Page[],
  role: Account['role'] = area === 'admin' ? 'Admin' : 'Customer',
) {
  // A new person for each call, because the hook keeps the last answers for each person.
  personCount += 1;
  const account = { id: `person-${personCount}`, email: 'ada@example.com', role } as Account;
  function Frame({ children }: { children: ReactNode }) {
    return (
      <QueryProvider>
        <AccountContext value={account}>
          <ScreenContext value={{ screen, screens: all }}>{children}</ScreenContext>
        </AccountContext>
      </QueryProvider>
    );
  }
  const { result } = renderHook(() => navigationOf(useNavigationScreens(area), area), { wrapper: Frame });
  return () => result.current.flatMap(({ entries }) => entries);
}

const asked = () => api.mock.calls.map(([path]) => path);

test('monthly plans are in the navigation if they can be ordered', async () => {
  api.mockReturnValue({ available: true });
  const texts = navigation('account');
  expect(texts()).toEqual(['Orders']);
  await waitFor(() => expect(texts()).toEqual(['Orders', 'Monthly plans']));
  expect(asked()).toEqual(['/plan-subscriptions/offer']);
});

test.each<[string, Access, Account['role'], string]>([
  ['a customer who has one, or pays for one', 'account', 'Customer', '/plan-subscriptions?limit=1'],
  ['an admin who has one', 'account', 'Admin', '/plan-subscriptions?own=true&limit=1'],
  ['admins if any customer has one', 'admin', 'Admin', '/plan-subscriptions?limit=1'],
])(
  'monthly plans that cannot be ordered are in the navigation of %s (%s)',
  async (_who, area, role, path) => {
    api.mockImplementation((at) => (at === path ? [{}] : { available: false }));
    const texts = navigation(area, screens[0], role);
    await waitFor(() => expect(texts()).toEqual(['Orders', 'Monthly plans']));
  },
);

test('without a plan, monthly plans that cannot be ordered are in the navigation only on their own screen', async () => {
  api.mockImplementation((at) => (at.includes('limit') ? [] : { available: false }));
  const texts = navigation('account');
  await waitFor(() => expect(asked()).toHaveLength(2));
  await act(async () => {});
  expect(texts()).toEqual(['Orders']);
  const onTheirScreen = navigation('account', screens[1]);
  await waitFor(() => expect(asked()).toHaveLength(4));
  await act(async () => {});
  expect(onTheirScreen()).toEqual(['Orders', 'Monthly plans']);
});

test('invoices are in the navigation of a site that issues them', async () => {
  areInvoicesIssued = true;
  api.mockImplementation((at) => (at.includes('limit') ? [] : { available: false }));
  const texts = navigation('account');
  await waitFor(() => expect(texts()).toEqual(['Orders', 'Invoices']));
});

test('the entry for projects shows how much is unread in them', async () => {
  api.mockImplementation((path) => (path.endsWith('/summary') ? { unread: 3 } : { available: true }));
  const projects: Page = {
    path: '/projects',
    access: 'account',
    nav: { text: 'Projects', countsUnread: true },
    load,
  };
  const unread = renderNavigation('account', projects, [projects]);
  await waitFor(() => expect(unread().map((entry) => entry.unread)).toEqual([3]));
  expect(asked()).toContain('/projects/summary');
});
