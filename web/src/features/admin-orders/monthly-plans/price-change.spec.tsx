/** @jest-environment ./web/dom-environment.mjs */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useToasts } from '../../../lib/toasts.js';
import { type FakeApi, openScreen } from '../../../workspace/open-screen.js';
import { PriceChange } from './PriceChange.js';

const api = jest.fn<FakeApi>();
const sent = () => api.mock.calls.filter(([call]) => call.startsWith('POST'));

beforeEach(() => void api.mockReset());

function ScreenWithToasts() {
  const toasts = useToasts();
  return (
    <>
      <PriceChange />
      {toasts.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </>
  );
}

function open(groups: object[], customers: number, remaining = 0) {
  const answers: Record<string, object> = {
    'GET /pricings': [{ _id: '1', packageName: 'Basic', packagePrice: '390.00' }],
    'GET /plan-subscriptions/price-change': { packageName: 'Basic', price: '390.00', customers, groups },
    'POST /plan-subscriptions/price-change': { announced: 3, remaining },
  };
  api.mockImplementation((call) => Response.json(answers[call]));
  openScreen(ScreenWithToasts, api, {
    path: '/admin/price-change',
    at: '/admin/price-change?package=Basic',
  });
}

const firstCharges = { firstFrom: '2026-12-22T12:00:00.000Z', lastFrom: '2027-01-20T12:00:00.000Z' };

test('every earlier price is listed, and nothing is sent before the admin confirms', async () => {
  open(
    [
      { price: '290.00', customers: 2, ...firstCharges },
      { price: '250.00', customers: 1, ...firstCharges, lastFrom: firstCharges.firstFrom },
    ],
    3,
  );
  const rows = await waitFor(() => {
    const [, ...found] = screen.getAllByRole('row');
    return found.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
  });
  expect(rows).toEqual([
    ['$290.00 a month', '2', 'Dec 22, 2026 to Jan 20, 2027'],
    ['$250.00 a month', '1', 'Dec 22, 2026'],
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Announce the new price' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Announce $390.00 a month to 3 customers?' }));
  expect(sent()).toEqual([]);
  await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'E-mail 3 customers' })));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([
    ['POST /plan-subscriptions/price-change', { packageName: 'Basic', packagePrice: '390.00' }],
  ]);
  screen.getByText('New price announced to 3 customers');
});

test('a customer with plans at two earlier prices is in both rows, but counts as one customer', async () => {
  open(
    [
      { price: '290.00', customers: 2, ...firstCharges },
      { price: '250.00', customers: 1, ...firstCharges },
    ],
    2,
  );
  await screen.findByText(/2 customers at an earlier price/);
  screen.getByText('Customers with plans at several prices are in several rows.');
  screen.getByText(
    /^If you go ahead, every customer in this table gets an e-mail for each of their plans now/,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Announce the new price' }));
  screen.getByRole('dialog', { name: 'Announce $390.00 a month to 2 customers?' });
});

test('an announcement that stops early says how many customers are left', async () => {
  open([{ price: '290.00', customers: 5, ...firstCharges }], 5, 2);
  fireEvent.click(await screen.findByRole('button', { name: 'Announce the new price' }));
  const dialog = within(screen.getByRole('dialog'));
  await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'E-mail 5 customers' })));
  await screen.findByText('New price announced to 3 customers, with 2 customers still to go');
});

test('the screen says that a package was not found, and another one can be chosen', async () => {
  api.mockImplementation((call) =>
    call === 'GET /pricings'
      ? Response.json([{ _id: '1', packageName: 'Basic', packagePrice: '390.00' }])
      : Response.json({ detail: 'Not found.' }, { status: 404 }),
  );
  openScreen(PriceChange, api, { path: '/admin/price-change', at: '/admin/price-change?package=Gold' });
  await screen.findByText('Package not found');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  api.mockImplementation(() =>
    Response.json({ packageName: 'Basic', price: '390.00', customers: 0, groups: [] }),
  );
  fireEvent.change(screen.getByRole('combobox', { name: 'Package' }), { target: { value: 'Basic' } });
  await screen.findByText('No customers to ask about $390.00 a month');
  expect(screen.queryByText('Package not found')).toBeNull();
});

test('there is nothing to announce when nobody can be asked to approve the new price', async () => {
  open([], 0);
  await screen.findByText('No customers to ask about $390.00 a month');
  expect(screen.queryByRole('button')).toBeNull();
});
