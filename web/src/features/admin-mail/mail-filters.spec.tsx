/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { useListFilter } from '../../workspace/list-filter.js';
import { openScreen } from '../../workspace/open-screen.js';
import { mailFilterNames, MailFilters } from './MailFilters.js';

const Filters = () => <MailFilters filter={useListFilter(mailFilterNames)} />;

const chosen = () => screen.getByLabelText<HTMLSelectElement>('Campaign').selectedOptions[0]?.textContent;
const refused = (status: number) => Response.json({ detail: 'Not now.' }, { status });

test.each<[string, string, Response]>([
  ['Spring news', 'that is older than those listed', Response.json({ _id: 'old', subject: 'Spring news' })],
  ['Campaign not found', 'that does not exist', refused(404)],
  ['One campaign', 'that cannot be read', refused(503)],
])('the filter shows ‘%s’ for a campaign %s', async (text, _, response) => {
  let answer!: (response: Response) => void;
  openScreen(
    Filters,
    (call) => (call === 'GET /campaign/old' ? new Promise((resolve) => (answer = resolve)) : undefined),
    { at: '/?campaign=old' },
  );
  expect(chosen()).toBe('One moment');
  // Lets the list of campaigns arrive, which makes the filter request the missing campaign.
  await act(async () => undefined);
  await act(async () => answer(response));
  expect(chosen()).toBe(text);
});

test('the filter shows ‘One campaign’ if the campaigns cannot be read', async () => {
  openScreen(Filters, () => refused(503), { at: '/?campaign=old' });
  await screen.findByText('One campaign');
});
