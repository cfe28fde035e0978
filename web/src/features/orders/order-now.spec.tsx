/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { sections } from '#libs/content-model';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './order-now.route.js';

const id = '0199c0de-0000-7000-8000-000000000001';
const readTerms = `GET ${sections.terms.routes.list}`;

test('an order can be placed only after the terms have been loaded', async () => {
  let isDown = true;
  openScreen(
    Component,
    (call) => {
      if (call.includes(id)) return Response.json({ _id: id, packageName: 'Basic', packagePrice: '290.00' });
      if (call === readTerms && isDown) return Response.json({ code: 'UNAVAILABLE' }, { status: 503 });
      if (call === readTerms) return Response.json([{ _id: '1', version: 1, termsHeading: 'Our terms' }]);
      return undefined;
    },
    { path: '/order-now/:id', at: `/order-now/${id}` },
  );
  const retry = await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 });
  expect(screen.queryByRole('button', { name: 'Place Order Now' })).toBeNull();
  isDown = false;
  await act(async () => void fireEvent.click(retry));
  await screen.findByRole('button', { name: 'Place Order Now' });
  screen.getByRole('link', { name: /Our terms/ });
});

test('added tax is shown even if the billing details could not be read', async () => {
  const quote = { mode: 'exclusive', net: '290.00', tax: '55.10', total: '345.10', rate: '19', reason: null };
  openScreen(
    Component,
    (call) => {
      if (call.includes(id)) return Response.json({ _id: id, packageName: 'Basic', packagePrice: '290.00' });
      if (call === 'GET /billing-details') return Response.json({ code: 'UNAVAILABLE' }, { status: 503 });
      return call === 'POST /tax-quote' ? Response.json(quote) : undefined;
    },
    { path: '/order-now/:id', at: `/order-now/${id}` },
  );
  await screen.findByText('19% tax', undefined, { timeout: 10_000 });
});

test('when the price has changed, the form stays and says so, even if the billing details could not be read', async () => {
  const terms = { _id: '1', version: 1, termsHeading: 'Our terms' };
  let price = '290.00';
  let answerBilling!: (answer: Response) => void;
  openScreen(
    Component,
    (call) => {
      if (call.includes(id)) return Response.json({ _id: id, packageName: 'Basic', packagePrice: price });
      if (call === readTerms) return Response.json([terms]);
      if (call === 'POST /tax-quote') return Response.json({ mode: 'none', total: price });
      if (call === 'GET /billing-details') return new Promise((resolve) => (answerBilling = resolve));
      if (call !== 'POST /new-order') return undefined;
      price = '390.00';
      const refusal = { code: 'PRICE_CHANGED', current: { packagePrice: price } };
      return Response.json(refusal, { status: 409 });
    },
    { path: '/order-now/:id', at: `/order-now/${id}` },
  );
  await waitFor(() => answerBilling(Response.json({}, { status: 503 })));
  for (const name of ['Your name', 'Address', 'Country'])
    fireEvent.change(await screen.findByLabelText(name), { target: { value: 'Ada' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Place Order Now' })));
  // The billing details are being read again.
  await screen.findByDisplayValue('390.00');
  screen.getByText(/the price has changed: Basic now costs \$390\.00 a month, not \$290\.00\./);
});
