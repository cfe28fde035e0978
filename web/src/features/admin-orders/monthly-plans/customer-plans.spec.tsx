/** @jest-environment ./web/dom-environment.mjs */
import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { type FakeApi, openScreen } from '../../../workspace/open-screen.js';
import { CustomerPlans } from './CustomerPlans.js';

test('after a failure, the panel stays while the plans are read again, and disappears if there are none', async () => {
  let answer!: (response: Response) => void;
  const site = jest.fn<FakeApi>(() => new Promise((resolve) => (answer = resolve)));
  site.mockReturnValueOnce(Response.json({ detail: 'Not now.' }, { status: 503 }));
  openScreen(() => <CustomerPlans customerId="ada" />, site);
  const retryButton = await screen.findByRole('button', { name: 'Try again' });
  await act(async () => void fireEvent.click(retryButton));
  screen.getByText('Not now.');
  screen.getByRole('region', { name: 'Monthly plans' });
  await act(async () => answer(Response.json([], { headers: { 'x-total-count': '0' } })));
  expect(screen.queryByRole('region')).toBeNull();
});
