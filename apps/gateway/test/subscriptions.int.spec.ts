import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Subscription } from '#libs/contracts';
import type { Session } from '#libs/testing';
import { startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let admin: Session;
let database: pg.Client;

beforeAll(async () => {
  site = await startSite();
  admin = await site.admin();
  database = new pg.Client({ connectionString: site.databaseUrls.messaging });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await site?.stop();
});
beforeEach(() => database.query('DELETE FROM subscribers; DELETE FROM mails'));

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const oneClick = { body: 'List-Unsubscribe=One-Click', headers: form };

/** The path of the link of the mail that waits; mail is off here. */
async function confirmPath(email: string): Promise<string> {
  await site.visitor.post('/add-subscriber', { email });
  const { rows } = await database.query<{ link: string }>(
    `SELECT params->>'link' AS link FROM mails WHERE to_address = $1`,
    [email],
  );
  return rows[0]!.link.replace(/^https?:\/\/[^/]+/, '');
}
async function unsubscribePath(email = 'ada@example.com'): Promise<string> {
  const confirmed = await site.visitor.send<Subscription>('POST', await confirmPath(email));
  return `/unsubscribe?token=${confirmed.json.unsubscribeToken}`;
}
const statusOf = async (path: string) => (await site.visitor.get<Subscription>(path)).json.status;

describe('the link of the mail that asks to confirm', () => {
  test('shows a page that changes nothing, whoever opens it; its button confirms', async () => {
    const path = await confirmPath('ada@example.com');
    for (const headers of [html, { ...html, 'User-Agent': 'LinkScanner/1.0' }]) {
      const { status, text, headers: answered } = await site.visitor.get(path, { headers });
      expect([status, answered.get('x-robots-tag')]).toEqual([200, 'noindex']);
      expect(answered.get('cache-control')).toBe('no-store');
      expect(answered.get('referrer-policy')).toBe('no-referrer');
      expect(answered.get('vary')).toMatch(/accept/i);
      expect(text).toContain('"emailMasked":"a***@example.com","status":"pending","link":"open"');
      expect(text).not.toContain('ada@example.com');
    }
    const pressed = await site.visitor.send('POST', path, { body: 'page=yes', headers: form });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, path]);
    expect(await statusOf(path)).toBe('subscribed');
  });
});

describe('the link to unsubscribe', () => {
  test('shows a page, and is left by its button', async () => {
    const path = await unsubscribePath();
    expect((await site.visitor.get(path, { headers: html })).text).toContain('"status":"subscribed"');
    const pressed = await site.visitor.send('POST', path, { body: 'page=yes', headers: form });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, path]);
    expect((await site.visitor.get(path, { headers: html })).text).toContain('"status":"unsubscribed"');
    const again = path.replace('/unsubscribe', '/subscribe-again');
    const asked = await site.visitor.send('POST', again, { body: 'page=yes', headers: form });
    expect([asked.status, asked.headers.get('location')]).toEqual([303, `${path}&asked=yes`]);
    expect(await statusOf(path)).toBe('pending');
  });

  test.each<[string, { body?: string; headers?: Record<string, string> }]>([
    ['as RFC 8058 has it', oneClick],
    [
      'as a form of several parts',
      {
        body: '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      },
    ],
    ['with nothing in it', {}],
    [
      'from another site',
      { ...oneClick, headers: { ...form, Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' } },
    ],
    [
      'with cookies of whoever',
      { ...oneClick, headers: { ...form, Cookie: 'access=x; refresh=y', Origin: 'null' } },
    ],
    ['by what accepts pages', { ...oneClick, headers: { ...form, ...html } }],
  ])('takes one click %s, and leads nowhere', async (_how, call) => {
    const path = await unsubscribePath();
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, json } = await site.visitor.send<Subscription>('POST', path, call);
      expect([status, json.status]).toEqual([200, 'unsubscribed']);
    }
  });

  test('is not limited: a mail program calls for all of its people', async () => {
    const gateway = await site.startGateway({ LIMIT_FORMS: '1/3600', LIMIT_MAIL: '1/3600' });
    const path = await unsubscribePath();
    for (let turn = 0; turn < 4; turn += 1) {
      const response = await fetch(gateway.url + path, { method: 'POST', ...oneClick });
      expect(response.status).toBe(200);
    }
  });
});

test.each([
  '/unsubscribe',
  '/unsubscribe?token=',
  '/unsubscribe?token=x',
  `/unsubscribe?token=${'A'.repeat(64)}`,
  `/unsubscribe?token=${'A'.repeat(300)}`,
  '/unsubscribe?token=%00',
  `/confirm-subscription?token=${'A'.repeat(78)}`,
  '/confirm-subscription?token=../../etc',
])('%s is no link, and says so to people and programs', async (path) => {
  const page = await site.visitor.get(path, { headers: html });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.text).toContain('"subscription":null');
  expect((await site.visitor.get(path)).status).toBe(404);
  expect((await site.visitor.send('POST', path, oneClick)).status).toBe(404);
});

test('admins see who is what, filter by it, export it, and lift a suppression', async () => {
  await unsubscribePath('ada@example.com');
  await confirmPath('bob@example.com');
  await database.query(
    `UPDATE subscribers SET status = 'suppressed', status_unsuppressed = 'pending', suppressed_at = now(),
       suppressed_reason = '550 5.1.1 =No such user' WHERE email = 'bob@example.com'`,
  );
  const listed = await admin.get<{ _id: string; email: string }[]>('/subscribers?status=suppressed');
  expect(listed.json).toMatchObject([
    { email: 'bob@example.com', suppressed: { reason: '550 5.1.1 =No such user' } },
  ]);
  expect((await admin.get('/subscribers?status=gone')).status).toBe(400);
  const { text } = await admin.get('/subscribers/export?status=subscribed');
  expect(text.split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/^"ada@example\.com","\d.*Z","subscribed","form","\d.*Z","Send me the newsletter/),
    '',
  ]);
  const path = `/subscriber/${listed.json[0]!._id}/suppression`;
  expect((await admin.delete(path)).json).toMatchObject({ status: 'pending', suppressed: null });
  expect((await admin.delete(path)).status).toBe(409);
});
