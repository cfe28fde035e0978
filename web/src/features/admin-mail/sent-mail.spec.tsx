/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { Mail } from '#libs/contracts';
import { Toasts } from '../../components/Toasts.js';
import { openScreen } from '../../workspace/open-screen.js';
import { SentMail } from './SentMail.js';

test('sending a mail again shows that it is waiting; another attempt after a lost answer has the same idempotency key', async () => {
  const keys: unknown[] = [];
  const mail = { _id: '1', to: 'ada@example.com', subject: 'Welcome', state: 'sent', resendable: true };
  const mails = [{ ...mail, createdAt: '2026-11-20T10:00:00.000Z', attempts: 1 } as Mail];
  openScreen(SentMail, (call) => {
    if (call === 'GET /mails') return Response.json(mails, { headers: { 'x-total-count': '1' } });
    if (call === 'GET /mail-status') return Response.json({ on: false, from: null, waiting: 0, failed: 0 });
    if (call !== 'POST /mail/1/resend') return undefined;
    return keys.length === 1
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Response.json({ _id: '2' }, { status: 201 });
  });
  const { fetch: fakeFetch } = globalThis;
  globalThis.fetch = (async (path: string, init: RequestInit = {}) => {
    if (init.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'));
    return fakeFetch(path, init);
  }) as typeof fetch;
  render(<Toasts />);
  fireEvent.click(await screen.findByRole('button', { name: 'Send again to ada@example.com' }));
  const send = () =>
    act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Send again' })));
  await send();
  await screen.findByText(/We can’t reach the site/);
  await send();
  await screen.findByText('The e-mail is waiting to be sent again');
  expect(keys).toEqual([expect.any(String), keys[0]]);
});
