/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReportLink } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { ShareReport } from './ShareReport.js';

const dayMs = 24 * 3_600_000;

test.each([
  ['valid', dayMs, 'Revoke', 'Revoke this link?', /stops working right away/],
  ['expired', -dayMs, 'Remove', 'Remove this link?', /no longer works/],
])(
  'the dialog for a link that is %s says what its button does',
  async (_, untilExpiryMs, verb, title, text) => {
    const link: ReportLink = {
      ...{ _id: '1', label: 'Board', createdAt: '2026-11-20T10:00:00.000Z', openedAt: null },
      expiresAt: new Date(Date.now() + untilExpiryMs).toISOString(),
    };
    openScreen(
      () => <ShareReport projectId="project" />,
      () => Response.json([link]),
    );
    fireEvent.click(await screen.findByRole('button', { name: `${verb} the link for Board` }));
    const dialog = screen.getByRole('dialog', { name: title });
    expect(dialog.textContent).toMatch(text);
    expect([...dialog.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
      'Cancel',
      verb,
    ]);
  },
);

test('after a lost answer, another attempt has the same idempotency key; the new link is shown until it is revoked', async () => {
  const link = { _id: '1', label: '', createdAt: '2026-11-20T10:00:00.000Z', openedAt: null };
  const stored = { ...link, expiresAt: new Date(Date.now() + dayMs).toISOString() };
  let links: object[] = [];
  const keys: unknown[] = [];
  openScreen(
    () => <ShareReport projectId="project" />,
    (call) => {
      if (call.startsWith('DELETE')) {
        links = [];
        return Response.json({ _id: '1' });
      }
      if (call.startsWith('GET')) return Response.json(links);
      links = [stored];
      return keys.length === 1
        ? Promise.reject(new TypeError('Failed to fetch'))
        : Response.json({ ...stored, token: 'secret' }, { status: 201 });
    },
  );
  const { fetch: fakeFetch } = globalThis;
  globalThis.fetch = (async (path: string, init: RequestInit = {}) => {
    if (init.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'));
    return fakeFetch(path, init);
  }) as typeof fetch;
  fireEvent.click(screen.getByRole('button', { name: 'Create link' }));
  await screen.findByText(/We can’t reach the site/);
  fireEvent.click(screen.getByRole('button', { name: 'Create link' }));
  await screen.findByText('Copy this link now.');
  expect(keys).toEqual([expect.any(String), keys[0]]);
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke the link without a name' }));
  fireEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(screen.queryByText('Copy this link now.')).toBeNull());
});

test('a link that somebody else has revoked meanwhile counts as revoked', async () => {
  const link = { _id: '1', label: 'Board', createdAt: '2026-11-20T10:00:00.000Z', openedAt: null };
  let links = [{ ...link, expiresAt: new Date(Date.now() + dayMs).toISOString() }];
  openScreen(
    () => <ShareReport projectId="project" />,
    (call) => {
      if (call.startsWith('GET')) return Response.json(links);
      links = [];
      return Response.json({ code: 'NOT_FOUND' }, { status: 404 });
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke the link for Board' }));
  fireEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByText('Board')).toBeNull();
});

test('while a link is being created, its name cannot be changed, because the field is emptied afterwards', async () => {
  openScreen(
    () => <ShareReport projectId="project" />,
    (call) => (call.startsWith('POST') ? new Promise<never>(() => {}) : undefined),
  );
  const field = screen.getByLabelText<HTMLInputElement>('For whom? (optional)');
  fireEvent.change(field, { target: { value: 'Board' } });
  expect(field.readOnly).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Create link' }));
  await screen.findByText('One moment');
  expect(field.readOnly).toBe(true);
});
