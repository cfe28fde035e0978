/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import type { Campaign } from '#libs/contracts';
import { openScreen } from '../../../workspace/open-screen.js';
import { QueryProvider } from '../../../workspace/QueryProvider.js';
import { CampaignReport } from './CampaignReport.js';

const campaign: Campaign = {
  _id: '019a0000-0000-7000-8000-000000000001',
  ...{ subject: 'November', preheader: '', body: 'Hello.', state: 'sending' },
  ...{ scheduledAt: null, startedAt: '2026-11-20T10:00:00.000Z', finishedAt: null },
  counts: { recipients: 5, sent: 2, waiting: 3, failed: 0, leftOut: 0, bounced: 0, unsubscribed: 0 },
  ...{ createdAt: '2026-11-19T10:00:00.000Z', updatedAt: '2026-11-20T11:00:00.000Z', version: 3 },
};

beforeEach(() => {
  // jsdom lacks `matchMedia`, with which the preview chooses its layout.
  globalThis.matchMedia = () => ({ matches: false }) as MediaQueryList;
});
afterEach(cleanup);

/** Returns the report's status, which of the buttons 'Pause' and 'Resume' it has, and the text and first button (`keep`) of the cancel dialog. */
function openReportAndCancelDialog(state: Campaign['state']) {
  render(
    <MemoryRouter>
      <QueryProvider>
        <CampaignReport campaign={{ ...campaign, state }} />
      </QueryProvider>
    </MemoryRouter>,
  );
  const [status] = screen.getAllByRole('status');
  const buttons = ['Pause', 'Resume'].filter((name) => screen.queryByRole('button', { name }));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel remaining' }));
  const dialog = screen.getByRole('dialog');
  return {
    status: status?.textContent,
    buttons,
    keep: dialog.querySelector('.buttons button')?.textContent,
    text: dialog.querySelector('p')?.textContent,
  };
}

test('a campaign that is being sent says since when, and can be paused instead of cancelled', () => {
  expect(openReportAndCancelDialog('sending')).toEqual({
    status: expect.stringMatching(/^Sending since .*2026/),
    buttons: ['Pause'],
    keep: 'Keep sending',
    text: '3 people won’t get the e-mail. You can’t undo this. To stop for now, pause the campaign instead.',
  });
});

test('a paused campaign says when it started, and not that it is being sent', () => {
  expect(openReportAndCancelDialog('paused')).toEqual({
    status: expect.stringMatching(/^Paused Started on .*2026/),
    buttons: ['Resume'],
    keep: 'Keep paused',
    text: '3 people won’t get the e-mail. You can’t undo this.',
  });
});

test('moving a scheduled campaign back to draft sends its version, so that the server can refuse if sending has begun meanwhile', async () => {
  const versions: (string | null)[] = [];
  openScreen(
    () => <CampaignReport campaign={{ ...campaign, state: 'scheduled' }} />,
    () => Response.json({ code: 'VERSION_MISMATCH' }, { status: 412 }),
  );
  const { fetch: fakeFetch } = globalThis;
  globalThis.fetch = (async (path: string, init: RequestInit = {}) => {
    if (path.endsWith('/cancel')) versions.push(new Headers(init.headers).get('if-match'));
    return fakeFetch(path, init);
  }) as typeof fetch;
  await act(async () => void fireEvent.click(screen.getByText('Move back to draft')));
  expect(versions).toEqual(['"3"']);
});
