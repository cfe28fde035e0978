/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../../workspace/open-screen.js';
import { SendDialog } from './SendDialog.js';

const campaign = { _id: '019a0000-0000-7000-8000-000000000001', subject: 'November', version: 3 };

test('a year that is too long for a date is refused, and the dialog stays', async () => {
  const calls: string[] = [];
  openScreen(
    () => <SendDialog campaign={campaign} close={() => undefined} />,
    (call) => {
      calls.push(call);
      return Response.json({ recipients: 5, perMinute: 60 });
    },
  );
  fireEvent.click(await screen.findByLabelText('Later'));
  fireEvent.change(screen.getByLabelText(/^Date and time/), { target: { value: '20271-01-01T10:00' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Schedule campaign' })));
  screen.getByText('Choose a date and time in the future.');
  expect(calls).toEqual(['GET /campaign-audience']);
});

test('the dialog says why the site refused a time', async () => {
  openScreen(
    () => <SendDialog campaign={campaign} close={() => undefined} />,
    (call) =>
      call === 'GET /campaign-audience'
        ? Response.json({ recipients: 5, perMinute: 60 })
        : Response.json(
            { code: 'INVALID_INPUT', errors: [{ field: 'at', message: 'must be within a year' }] },
            { status: 400 },
          ),
  );
  fireEvent.click(await screen.findByLabelText('Later'));
  fireEvent.change(screen.getByLabelText(/^Date and time/), { target: { value: '2999-01-01T10:00' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Schedule campaign' })));
  await screen.findByText('The date and time must be within a year.');
});
