/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { SubscriberImport } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { useQuery } from '../../workspace/query.js';
import { ImportSubscribers } from './ImportSubscribers.js';

function Subscribers() {
  const { data } = useQuery('GET /subscribers');
  return (
    <>
      <p>{data?.length} subscribers</p>
      <ImportSubscribers />
    </>
  );
}

const report: SubscriberImport = {
  _id: '1',
  name: 'people.csv',
  consent: 'At the fair',
  createdAt: '2026-11-20T10:00:00.000Z',
  state: 'running',
  rows: 3,
  done: 0,
  added: 0,
  refused: 0,
  refusals: [],
};

function choose(content = 'email\na@example.com'): void {
  const file = new File([content], 'people.csv', { type: 'text/csv' });
  fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [file] } });
  fireEvent.change(screen.getByLabelText('How and when did they consent?'), {
    target: { value: 'At the fair' },
  });
}

const send = () => act(async () => void fireEvent.submit(document.querySelector('form')!));

test.each(['finished', 'stopped'] as const)(
  'people who were imported are listed when the import has %s',
  async (state) => {
    let ended = false;
    openScreen(Subscribers, (call) => {
      if (call.startsWith('POST')) return Response.json(report, { status: 202 });
      if (call.startsWith('GET /subscriber-imports')) {
        ended = true;
        return Response.json({ ...report, state, done: 2, added: 2 });
      }
      return Response.json(ended ? [{ _id: '1' }, { _id: '2' }] : []);
    });
    await screen.findByText('0 subscribers');
    choose();
    await send();
    await screen.findByText('2 subscribers', undefined, { timeout: 10_000 });
  },
);

test('sending a file again after a lost answer repeats the request; another file with the same name, or the same file after an answer, is a new request', async () => {
  openScreen(Subscribers, () => undefined);
  const { fetch: fakeFetch } = globalThis;
  const keys: unknown[] = [];
  globalThis.fetch = (async (path: string, init: RequestInit = {}) => {
    if (!path.startsWith('/subscribers/import')) return fakeFetch(path, init);
    keys.push(new Headers(init.headers).get('idempotency-key'));
    if (keys.length < 3) throw new TypeError('Failed to fetch');
    return Response.json({ ...report, state: 'finished' }, { status: 202 });
  }) as typeof fetch;
  choose('email\na@example.com\nb@example.com');
  await send();
  choose();
  await send();
  await screen.findByText(/We can’t reach the site/);
  await send();
  await screen.findByText(/people.csv imported/);
  const [otherFile, lostAttempt, secondAttempt] = keys;
  expect(lostAttempt).toMatch(/^[\da-f]{32}$/);
  expect(otherFile).not.toBe(lostAttempt);
  expect(secondAttempt).toBe(lostAttempt);
  await send();
  expect(keys).toHaveLength(4);
  expect(keys[3]).not.toBe(lostAttempt);
});
