/** @jest-environment ./web/dom-environment.mjs */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Account } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import type { RememberedBilling } from './CollapsibleBillingFields.js';
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
/** Tax quotes are answered once this promise has resolved. */
let taxIsReady: Promise<void>;
const noTax = { net: '290.00', tax: '0.00', total: '290.00', rate: '0', reason: null };
/** All calls except the one that places the order, oldest first. */
let otherCalls: [call: string, body: unknown][];

beforeEach(() => {
  receiveOrder.mockReset();
  quote = { mode: 'none', ...noTax };
  taxIsReady = Promise.resolve();
  otherCalls = [];
});

/** Without `rememberedBilling`, the site issues no invoices. */
function open(canRenew: boolean, rememberedBilling?: RememberedBilling) {
  openScreen(
    () => (
      <OrderForm
        {...{ account, pricingPackage, details, canRenew, rememberedBilling }}
        terms={undefined}
        needsTaxQuote={rememberedBilling !== undefined}
      />
    ),
    async (call, body) => {
      const sent = body as Record<string, unknown>;
      if (call !== 'POST /new-order') otherCalls.push([call, sent]);
      if (call === 'POST /tax-quote') await taxIsReady;
      if (call === 'POST /tax-quote') return Response.json(quote ?? {}, { status: quote ? 200 : 503 });
      if (call === 'POST /vat-id-check') return Response.json({ vatId: sent.vatId, state: 'unknown' });
      receiveOrder(sent);
      return Response.json({ _id: '2' }, { status: 201 });
    },
  );
}

/** Returns the order that was sent. */
async function place(): Promise<Record<string, unknown>> {
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Place Order Now' })));
  await waitFor(() => expect(receiveOrder).toHaveBeenCalledTimes(1));
  const [body] = receiveOrder.mock.lastCall!;
  return body;
}

test('if monthly plans are not offered, the form has no choice between one month and every month', async () => {
  open(false);
  expect(screen.queryByRole('radio')).toBeNull();
  expect((await place()).renews).toBeUndefined();
});

test('one month is the default', async () => {
  open(true);
  const once = screen.getByRole<HTMLInputElement>('radio', { name: 'Pay for one month' });
  expect(once.checked).toBe(true);
  expect((await place()).renews).toBeUndefined();
});

test('the customer can choose to pay every month until they cancel', async () => {
  open(true);
  screen.getByText(/You pay \$290.00 today, and then every month on the same day./);
  fireEvent.click(screen.getByRole('radio', { name: 'Pay every month until you cancel' }));
  expect((await place()).renews).toBe(true);
});

test('if the site issues no invoices, the form asks for no billing details', async () => {
  open(false);
  expect(screen.queryByLabelText('Company')).toBeNull();
  expect(await place()).not.toHaveProperty('billingDetails');
  expect(otherCalls).toEqual([]);
});

test('billing details are collapsed if none are remembered, and those that the customer enters are sent', async () => {
  open(false, noBilling);
  expect(screen.getByRole('group').hasAttribute('open')).toBe(false);
  fireEvent.change(screen.getByLabelText('Company'), { target: { value: ' Analytical Engines ' } });
  fireEvent.change(screen.getByLabelText('VAT ID'), { target: { value: 'de 123 456 789' } });
  fireEvent.blur(screen.getByLabelText('VAT ID'));
  await screen.findByText('Not confirmed yet');
  expect(otherCalls).toContainEqual(['POST /vat-id-check', { vatId: 'DE123456789' }]);
  const { billingDetails } = await place();
  const { vatIdState, offered, ...empty } = noBilling;
  expect(billingDetails).toEqual({
    ...empty,
    ...{ company: 'Analytical Engines', vatId: 'DE123456789' },
  });
});

test('remembered billing details are filled in and shown', async () => {
  open(false, { ...noBilling, company: 'Analytical Engines', vatId: 'DE123456789', vatIdState: 'valid' });
  expect(screen.getByRole('group').hasAttribute('open')).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>('Company').value).toBe('Analytical Engines');
  await screen.findByText('Valid');
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
  await screen.findByText('19% tax');
  screen.getByText('$55.10');
  screen.getByText('You pay $345.10 once. The plan doesn’t renew by itself.');
});

test('while the tax is not known, the form does not say how much the customer pays', async () => {
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
  await screen.findByText('Includes 19% tax, $46.30.');
});

test('the tax for another country is requested when the Country field loses the focus', async () => {
  quote = { ...noTax, mode: 'exclusive', tax: '55.10', total: '345.10', rate: '19' };
  open(true, noBilling);
  await screen.findByText('19% tax');
  quote = { ...quote, tax: '0.00', total: '290.00', rate: '0', reason: 'Not subject to tax in the EU.' };
  fireEvent.change(screen.getByLabelText('Country'), { target: { value: 'Japan' } });
  fireEvent.blur(screen.getByLabelText('Country'));
  await screen.findByText('Not subject to tax in the EU.');
  expect(otherCalls.at(-1)).toEqual([
    'POST /tax-quote',
    expect.objectContaining({ customerCountry: 'Japan', packagePrice: '290.00' }),
  ]);
});

test('the tax is requested again after a VAT ID has been checked', async () => {
  quote = { ...noTax, mode: 'exclusive', tax: '0.00', rate: '0', reason: 'Reverse charge' };
  open(true, noBilling);
  await screen.findByText('Reverse charge');
  const vatId = screen.getByLabelText('VAT ID');
  fireEvent.change(vatId, { target: { value: 'DE123456789' } });
  fireEvent.blur(vatId);
  quote = { ...quote, tax: '55.10', total: '345.10', rate: '19', reason: null };
  await screen.findByText('19% tax');
  const calls = otherCalls.map(([call]) => call);
  expect(calls.lastIndexOf('POST /tax-quote')).toBeGreaterThan(calls.indexOf('POST /vat-id-check'));
});

const withTax: TaxQuote = { ...noTax, mode: 'exclusive', tax: '55.10', total: '345.10', rate: '19' };
const withoutTax: TaxQuote = { ...noTax, mode: 'exclusive', reason: 'Not subject to tax in the EU.' };
const summary = () => screen.getByText('Total').closest('[role=status]')!;
const typeCountry = (country: string) =>
  fireEvent.change(screen.getByLabelText('Country'), { target: { value: country } });
const clickOrder = () =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Place Order Now' })));

test('while the tax for another country is being requested, the form does not name the tax that the price included before', async () => {
  quote = { ...withTax, mode: 'inclusive' };
  open(true, noBilling);
  await screen.findByText(/^Includes 19% tax/);
  taxIsReady = new Promise(() => {});
  typeCountry('Japan');
  fireEvent.blur(screen.getByLabelText('Country'));
  screen.getByText('Working it out');
  expect(document.body.textContent).not.toContain('19%');
});

test('while the tax for another country is being requested, the form shows no amount, and says that the total is being worked out', async () => {
  quote = withTax;
  open(true, noBilling);
  await screen.findByText('19% tax');
  const lines = summary().querySelectorAll('dt').length;
  quote = withoutTax;
  let answerTax!: () => void;
  taxIsReady = new Promise((resolve) => (answerTax = resolve));
  typeCountry('Japan');
  fireEvent.blur(screen.getByLabelText('Country'));
  expect(summary().getAttribute('aria-busy')).toBe('true');
  screen.getByText('Working it out');
  screen.getByText('You pay the total once. The plan doesn’t renew by itself.');
  expect(document.body.textContent).not.toMatch(/345\.10|55\.10|19%/);
  expect(summary().querySelectorAll('dt')).toHaveLength(lines);
  await act(async () => answerTax());
  await screen.findByText('Not subject to tax in the EU.');
  expect(summary().getAttribute('aria-busy')).toBe('false');
});

test('an order whose total is not the one shown is not sent; the form says what it would cost, and the next attempt sends it', async () => {
  quote = withTax;
  open(false, noBilling);
  await screen.findByText('19% tax');
  quote = withoutTax;
  // The Country field does not lose the focus, as when the Enter key sends the form.
  typeCountry('Japan');
  await clickOrder();
  await screen.findByText(/the total has changed: it is now \$290\.00, not \$345\.10\./);
  await screen.findByText('Not subject to tax in the EU.');
  expect(receiveOrder).not.toHaveBeenCalled();
  await place();
});

test('an order waits while its total is being requested again, and is sent if the total has not changed', async () => {
  quote = withTax;
  open(false, noBilling);
  await screen.findByText('19% tax');
  let answerTax!: () => void;
  taxIsReady = new Promise((resolve) => (answerTax = resolve));
  typeCountry('France');
  fireEvent.blur(screen.getByLabelText('Country'));
  await clickOrder();
  expect(receiveOrder).not.toHaveBeenCalled();
  await act(async () => answerTax());
  await waitFor(() => expect(receiveOrder).toHaveBeenCalledTimes(1));
});

test('if the total for another country cannot be read, the form says so, and the next attempt sends the order', async () => {
  quote = withTax;
  open(false, noBilling);
  await screen.findByText('19% tax');
  quote = undefined;
  typeCountry('Japan');
  await clickOrder();
  await screen.findByText(/we couldn’t work out the total for what you entered/);
  expect(receiveOrder).not.toHaveBeenCalled();
  await place();
});

test('the focus is not lost when the button disappears because the package is no longer offered', async () => {
  openScreen(
    () => (
      <main id="main" tabIndex={-1}>
        <OrderForm
          {...{ account, pricingPackage, details, canRenew: false, needsTaxQuote: false }}
          {...{ rememberedBilling: undefined, terms: undefined }}
        />
      </main>
    ),
    () => Response.json({ code: 'PRICE_CHANGED' }, { status: 409 }),
  );
  screen.getByRole('button', { name: 'Place Order Now' }).focus();
  await clickOrder();
  screen.getByRole('link', { name: 'See plans' });
  expect(document.activeElement?.id).toBe('main');
});
