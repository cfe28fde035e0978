/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import type { PaypalConnection as Connection, PaypalConnectionCheck } from '#libs/contracts';
import { PaypalConnection } from './PaypalConnection.js';

afterEach(cleanup);

const check = (name: PaypalConnectionCheck['check'], state: PaypalConnectionCheck['state']) => ({
  ...{ check: name, state, sentence: `${name} is ${state}.` },
});

test.each<[string, PaypalConnectionCheck[]]>([
  // No notification is expected before the first payment.
  ['No problems found.', [check('credentials', 'ok'), check('notifications', 'unknown')]],
  ['Not everything could be checked.', [check('credentials', 'unknown'), check('notifications', 'ok')]],
  ['1 problem found.', [check('credentials', 'ok'), check('webhook', 'problem')]],
  ['2 problems found.', [check('webhook', 'problem'), check('events', 'problem')]],
])('the summary %j is shown, and each check with its state and sentence', (summary, checks) => {
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
