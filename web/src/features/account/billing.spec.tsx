/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { Billing } from './Billing.js';

test('if the billing details cannot be read, a panel says so; it disappears if a retry shows that the site issues no invoices', async () => {
  const answers: ((response: Response) => void)[] = [];
  openScreen(Billing, () => new Promise((resolve) => void answers.push(resolve)));
  expect(screen.queryByRole('region')).toBeNull();
  await act(async () => answers.shift()!(Response.json({ detail: 'Not now.' }, { status: 503 })));
  const retryButton = await screen.findByRole('button', { name: 'Try again' });
  await act(async () => void fireEvent.click(retryButton));
  screen.getByText('Not now.');
  screen.getByRole('region', { name: 'Billing details' });
  await act(async () => answers.shift()!(Response.json({ offered: false })));
  expect(screen.queryByRole('region')).toBeNull();
});
