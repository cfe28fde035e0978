/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { errorSentences } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './order-cancelled.route.js';

const id = '0199c0de-0000-7000-8000-000000000001';

test.each([
  [
    'ALREADY_PAID',
    errorSentences.ALREADY_PAID,
    'You Have Paid',
    'This order is paid, so it wasn’t cancelled.',
  ],
  [
    'ALREADY_PAID',
    'A payment is being confirmed.',
    'The order wasn’t cancelled',
    'A payment is being confirmed.',
  ],
  [
    'INVALID_TRANSITION',
    'Cancel the plan instead.',
    'The order wasn’t cancelled',
    'Cancel the plan instead.',
  ],
])(
  'the refusal %s ‘%s’ is shown as ‘%s’, without a button to try again',
  async (code, detail, title, lead) => {
    openScreen(Component, () => Response.json({ code, detail }, { status: 409 }), {
      ...{ path: '/order-cancelled/:id', at: `/order-cancelled/${id}` },
    });
    await screen.findByRole('heading', { name: title });
    expect(document.body.textContent).toContain(lead);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  },
);
