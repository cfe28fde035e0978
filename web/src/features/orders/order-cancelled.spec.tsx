/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { errorSentences } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './order-cancelled.route.js';

const id = '0199c0de-0000-7000-8000-000000000001';

test.each([
  [errorSentences.ALREADY_PAID, 'You Have Paid', 'This order is paid, so it wasn’t cancelled.'],
  ['A payment is being confirmed.', 'The order wasn’t cancelled', 'A payment is being confirmed.'],
])('the refusal ‘%s’ is shown as ‘%s’', async (detail, title, lead) => {
  openScreen(Component, () => Response.json({ code: 'ALREADY_PAID', detail }, { status: 409 }), {
    ...{ path: '/order-cancelled/:id', at: `/order-cancelled/${id}` },
  });
  await screen.findByRole('heading', { name: title });
  expect(document.body.textContent).toContain(lead);
});
