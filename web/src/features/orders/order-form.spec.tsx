/** @jest-environment ./web/dom-environment.mjs */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Account } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import type { RememberedBilling } from './BillingDisclosure.js';
import { OrderForm } from './OrderForm.js';
import type { TaxQuote } from './tax-quote.js';

const receiveOrder = jest.fn<(body: Record<string, unknown>) => void>();
const account: Account = {
  ...{ id: 'ada', email: 'ada@example.com', emailVerified: true, role: 'Customer', name: null },
};
const pricingPackage = { _id: '1', packageName: 'Basic', packagePrice: '290.00' };
const details = {
  customerName: 'Ada Lovelace',
  customerAddress: '12 St James’s Square',
  customerCountry: 'UK',
};

const noBilling: RememberedBilling = {
  ...{ company: '', addressLine1: '', addressLine2: '', postalCode: '', city: '' },
  ...{ countryCode: '', vatId: '', vatIdState: null, offered: true },
};
/** Undefined while the tax cannot be calculated. */
let quote: TaxQuote | undefined;
const noTax = { net: '290.00', tax: '0.00', total: '290.00', rate: '0', reason: null };
/** All calls except the one that places the order, oldest first. */
let otherCalls: [call: string, body: unknown][];

beforeEach(() => {
  receiveOrder.mockReset();
  quote = { mode: 'none', ...noTax };
  otherCalls = [];
});

function open(canRenew: boolean, remembered?: RememberedBilling) {
  openScreen(
    () => (
      <OrderForm
        {...{ account, pricingPackage, details, canRenew, remembered }}
        terms={undefined}
        quotesTax={remembered !== undefined}
      />
    ),
    (call, body) => {
      const sent = body as Record<string, unknown>;
      if (call !== 'POST /new-order') otherCalls.push([call, sent]);
      if (call === 'POST /tax-quote') return Response.json(quote ?? {}, { status: quote ? 200 : 503 });
      if (call === 'POST /vat-id-check') return Response.json({ vatId: sent.vatId, state: 'unknown' });
      receiveOrder(sent);
      return Response.json({ _id: '2' }, { status: 201 });
    },
  );
}

/** Places the order, and returns the `renews` that was sent. */
async function place(): Promise<unknown> {
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Place Order Now' })));
  await waitFor(() => expect(receiveOrder).toHaveBeenCalledTimes(1));
  const [body] = receiveOrder.mock.lastCall!;
  return body.renews;
}

test('without an offer of renewal there is no choice', async () => {
  open(false);
  expect(screen.queryByRole('radio')).toBeNull();
  expect(await place()).toBeUndefined();
});

test('one month is the default', async () => {
  open(true);
  const once = screen.getByRole<HTMLInputElement>('radio', { name: 'Pay for one month' });
  expect(once.checked).toBe(true);
  expect(await place()).toBeUndefined();
});

test('the customer can choose to pay every month until they cancel', async () => {
  open(true);
  screen.getByText(/You pay \$290.00 today, and then every month on the same day./);
  fireEvent.click(screen.getByRole('radio', { name: 'Pay every month until you cancel' }));
  expect(await place()).toBe(true);
});

test('without invoices, nothing is asked about billing', async () => {
  open(false);
  expect(screen.queryByLabelText('Company')).toBeNull();
  await place();
  expect(otherCalls).toEqual([]);
  expect(receiveOrder.mock.lastCall![0]).not.toHaveProperty('billingDetails');
});

test('billing details are collapsed if none are remembered, and those that the customer enters are sent', async () => {
  open(false, noBilling);
  expect(screen.getByRole('group').hasAttribute('open')).toBe(false);
  fireEvent.change(screen.getByLabelText('Company'), { target: { value: ' Analytical Engines ' } });
  fireEvent.change(screen.getByLabelText('VAT ID'), { target: { value: 'de 123 456 789' } });
  fireEvent.blur(screen.getByLabelText('VAT ID'));
  await screen.findByText('Not confirmed yet');
  expect(otherCalls).toContainEqual(['POST /vat-id-check', { vatId: 'DE123456789' }]);
  await place();
  const { vatIdState, offered, ...empty } = noBilling;
  expect(receiveOrder.mock.lastCall![0].billingDetails).toEqual({
    ...empty,
    ...{ company: 'Analytical Engines', vatId: 'DE123456789' },
  });
});

test('remembered billing details are filled in and shown', async () => {
  open(false, { ...noBilling, company: 'Analytical Engines', vatId: 'DE123456789', vatIdState: 'valid' });
  expect(screen.getByRole('group').hasAttribute('open')).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>('Company').value).toBe('Analytical Engines');
  screen.getByText('Valid');
});

test('the form shows no tax for a seller without tax', async () => {
  open(false, noBilling);
  await waitFor(() => expect(otherCalls).toHaveLength(1));
  await act(async () => {});
  expect(screen.queryByText('Total')).toBeNull();
});

test('added tax is shown, and the customer pays the total', async () => {
  quote = { ...noTax, mode: 'exclusive', tax: '55.10', total: '345.10', rate: '19' };
  open(true, noBilling);
  await screen.findByText('19% VAT');
  screen.getByText('$55.10');
  screen.getByText('You pay $345.10 once. The plan doesn’t renew by itself.');
});

test('the form says what the customer pays only if the tax is known', async () => {
  quote = undefined;
  open(true, noBilling);
  const vague = 'You pay once. The plan doesn’t renew by itself.';
  screen.getByText(vague);
  await waitFor(() => expect(otherCalls).toHaveLength(1));
  await act(async () => {});
  screen.getByText(vague);
  screen.getByText(/^You pay today, and then every month on the same day\./);
  quote = { mode: 'none', ...noTax };
  fireEvent.change(screen.getByLabelText('Country'), { target: { value: 'Japan' } });
  fireEvent.blur(screen.getByLabelText('Country'));
  await screen.findByText('You pay $290.00 once. The plan doesn’t renew by itself.');
});

test('tax that the price includes is shown', async () => {
  quote = { ...noTax, mode: 'inclusive', net: '243.70', tax: '46.30', rate: '19' };
  open(true, noBilling);
  await screen.findByText('Includes 19% VAT, $46.30.');
});

test('the tax for another country is requested when the Country field loses the focus', async () => {
  quote = { ...noTax, mode: 'exclusive', tax: '55.10', total: '345.10', rate: '19' };
  open(true, noBilling);
  await screen.findByText('19% VAT');
  quote = { ...quote, tax: '0.00', total: '290.00', rate: '0', reason: 'Not subject to tax in the EU.' };
  fireEvent.change(screen.getByLabelText('Country'), { target: { value: 'Japan' } });
  fireEvent.blur(screen.getByLabelText('Country'));
  await screen.findByText('Not subject to tax in the EU.');
  expect(otherCalls.at(-1)).toEqual([
    'POST /tax-quote',
    expect.objectContaining({ customerCountry: 'Japan', packagePrice: '290.00' }),
  ]);
});

test('the tax is requested again after a VAT id has been checked', async () => {
  quote = { ...noTax, mode: 'exclusive', tax: '0.00', rate: '0', reason: 'Reverse charge' };
  open(true, noBilling);
  await screen.findByText('Reverse charge');
  const vatId = screen.getByLabelText('VAT ID');
  fireEvent.change(vatId, { target: { value: 'DE123456789' } });
  fireEvent.blur(vatId);
  quote = { ...quote, tax: '55.10', total: '345.10', rate: '19', reason: null };
  await screen.findByText('19% VAT');
  const calls = otherCalls.map(([call]) => call);
  expect(calls.lastIndexOf('POST /tax-quote')).toBeGreaterThan(calls.indexOf('POST /vat-id-check'));
});
