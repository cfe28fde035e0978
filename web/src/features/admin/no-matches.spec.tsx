/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { Component as Campaigns } from './campaigns/campaigns.route.js';
import { Component as Messages } from './messages.route.js';
import { Component as Subscribers } from './subscribers.route.js';

test.each([
  ['campaigns', Campaigns, 'No campaigns yet'],
  ['subscribers', Subscribers, 'No subscribers yet'],
  ['messages', Messages, 'No unread messages'],
])(
  'if a filter matches no %s, a button in the empty list removes the filter, and the content gets the focus',
  async (what, Screen, emptyTitle) => {
    const Content = () => (
      <main id="main" tabIndex={-1}>
        <Screen />
      </main>
    );
    openScreen(Content, () => Response.json([], { headers: { 'x-total-count': '0' } }), {
      path: '/list',
      at: '/list?search=nothing',
    });
    // The messages are in two lists: unread and read.
    const [noMatches] = await screen.findAllByText(`No matching ${what}`);
    const empty = within(noMatches!.closest<HTMLElement>('.empty-state')!);
    const button = empty.getByRole('button', { name: 'Show all' });
    button.focus();
    await act(async () => void fireEvent.click(button));
    await screen.findByText(emptyTitle);
    expect(screen.queryByText(`No matching ${what}`)).toBeNull();
    expect(document.activeElement?.id).toBe('main');
  },
);

test('after ‘Show all’ among the filters, the content has the focus, because the button is gone', async () => {
  const Content = () => (
    <main id="main" tabIndex={-1}>
      <Campaigns />
    </main>
  );
  openScreen(Content, () => Response.json([]), { path: '/list', at: '/list?search=nothing' });
  const filters = within(await screen.findByRole('search', { name: 'Campaigns' }));
  const button = filters.getByRole('button', { name: 'Show all' });
  button.focus();
  await act(async () => void fireEvent.click(button));
  expect(filters.queryByRole('button', { name: 'Show all' })).toBeNull();
  expect(document.activeElement?.id).toBe('main');
});
