/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import type { PaypalConnection as Connection, PaypalConnectionCheck } from '#libs/contracts';
import { PaypalConnection } from './PaypalConnection.js';

afterEach(cleanup);

const check = (name: PaypalConnectionCheck['check'], state: PaypalConnectionCheck['state']) => ({
  ...{ check: name, state, sentence: `${name} is ${state}.` },
});

test.each<[PaypalConnectionCheck[], string]>([
  // No notification is expected before the first payment.
  [[check('credentials', 'ok'), check('notifications', 'unknown')], 'No problems found.'],
  [[check('credentials', 'unknown'), check('notifications', 'ok')], 'Not everything could be checked.'],
  [[check('credentials', 'ok'), check('webhook', 'problem')], '1 problem found.'],
  [[check('webhook', 'problem'), check('events', 'problem')], '2 problems found.'],
])('the summary is shown, and each check with its state and sentence (case %#)', (checks, summary) => {
  const data: Connection = {
    ...{ product: 'checkout', mode: 'live', notificationUrl: 'https://shop.example/paypal/webhook' },
    ...{ lastNotificationAt: null, checks },
  };
  const query = {
    loading: false,
    retrying: false,
    reading: false,
    problem: undefined,
    total: undefined,
    retry: () => {},
  };
  render(<PaypalConnection connection={{ ...query, data }} />);
  expect(screen.getByRole('status').textContent).toBe(summary);
  const words = { ok: 'OK', problem: 'Problem', unknown: 'Unknown' };
  for (const { sentence, state } of checks)
    expect(screen.getByText(sentence).closest('dd')?.textContent).toContain(words[state]);
});
