/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { MonthDownload } from './MonthDownload.js';

test('if the documents of the month cannot be counted, the dialog says so and offers another attempt', async () => {
  let isDown = true;
  openScreen(
    () => <MonthDownload issuesFrom={new Date().toISOString()} timeZone="UTC" />,
    () =>
      isDown
        ? Response.json({ detail: 'Please try again in a moment.' }, { status: 503 })
        : Response.json([], { headers: { 'x-total-count': '2' } }),
  );
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Download month' })));
  screen.getByText('Please try again in a moment.');
  const download = screen.getByRole<HTMLButtonElement>('button', { name: 'Download ZIP' });
  expect(download.disabled).toBe(true);
  isDown = false;
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Try again' })));
  await screen.findByText('2 documents.');
  expect(download.disabled).toBe(false);
});
