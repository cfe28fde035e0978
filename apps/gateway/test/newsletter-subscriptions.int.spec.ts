import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { NewsletterSubscription, SubscriberImport, SubscriberRecord } from '#libs/contracts';
import { eventually, type Session } from '#libs/testing';
import { startSite, type SiteUnderTest } from './site.harness.js';

const eventsSecret = 'a secret of more than thirty-two characters';

let site: SiteUnderTest;
let admin: Session;
let database: pg.Client;

beforeAll(async () => {
  site = await startSite({
    without: ['orders', 'projects'],
    messagingSettings: { MAIL_EVENTS_SECRET: eventsSecret },
  });
  admin = await site.admin();
  database = new pg.Client({ connectionString: site.databaseUrls.messaging });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await site?.stop();
});
beforeEach(() => database.query('DELETE FROM subscribers; DELETE FROM mails; DELETE FROM recipient_mails'));

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const oneClick = { body: 'List-Unsubscribe=One-Click', headers: form };

/** Returns the path of the link in the mail, which stays in the queue because mail is off here. */
async function signUp(email: string): Promise<string> {
  await site.visitor.post('/add-subscriber', { email });
  const { rows } = await database.query<{ link: string }>(
    `SELECT params->>'link' AS link FROM mails WHERE to_address = $1`,
    [email],
  );
  return rows[0]!.link.replace(/^https?:\/\/[^/]+/, '');
}
/** Returns the path of the link to unsubscribe. */
async function subscribe(email = 'ada@example.com'): Promise<string> {
  const confirmed = await site.visitor.send<NewsletterSubscription>('POST', await signUp(email));
  return `/unsubscribe?token=${confirmed.json.unsubscribeToken}`;
}
const statusOf = async (path: string) => (await site.visitor.get<NewsletterSubscription>(path)).json.status;

describe('the link of the mail that asks to confirm', () => {
  test('shows a page that changes nothing when opened; its button confirms', async () => {
    const path = await signUp('ada@example.com');
    for (const headers of [html, { ...html, 'User-Agent': 'LinkScanner/1.0' }]) {
      const { status, text, headers: answerHeaders } = await site.visitor.get(path, { headers });
      expect([status, answerHeaders.get('x-robots-tag')]).toEqual([200, 'noindex']);
      expect(answerHeaders.get('cache-control')).toBe('no-store');
      expect(answerHeaders.get('referrer-policy')).toBe('no-referrer');
      expect(answerHeaders.get('vary')).toMatch(/accept/i);
      expect(text).toContain('"emailMasked":"a***@example.com","status":"pending","link":"open"');
      expect(text).not.toContain('ada@example.com');
    }
    const pressed = await site.visitor.send('POST', path, { body: 'page=yes', headers: form });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, path]);
    expect(await statusOf(path)).toBe('subscribed');
  });
});

describe('the link to unsubscribe', () => {
  test('shows a page whose button unsubscribes; subscribing again asks for another confirmation', async () => {
    const path = await subscribe();
    expect((await site.visitor.get(path, { headers: html })).text).toContain('"status":"subscribed"');
    const pressed = await site.visitor.send('POST', path, { body: 'page=yes', headers: form });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, path]);
    expect((await site.visitor.get(path, { headers: html })).text).toContain('"status":"unsubscribed"');
    const subscribeAgainPath = path.replace('/unsubscribe', '/subscribe-again');
    const answer = await site.visitor.send('POST', subscribeAgainPath, { body: 'page=yes', headers: form });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}&asked=yes`]);
    expect(await statusOf(path)).toBe('pending');
  });

  test.each<[string, { body?: string; headers?: Record<string, string> }]>([
    ['as RFC 8058 specifies', oneClick],
    [
      'as a multipart form',
      {
        body: '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      },
    ],
    ['without a body', {}],
    [
      'from another site',
      { ...oneClick, headers: { ...form, Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' } },
    ],
    [
      'with the cookies of a session',
      {
        ...oneClick,
        headers: { ...form, Cookie: 'access_token=x; refresh_token=y; signed_in=1', Origin: 'null' },
      },
    ],
    ['by a client that accepts pages', { ...oneClick, headers: { ...form, ...html } }],
  ])('accepts one-click unsubscribing %s, without a redirect', async (_how, call) => {
    const path = await subscribe();
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, json } = await site.visitor.send<NewsletterSubscription>('POST', path, call);
      expect([status, json.status]).toEqual([200, 'unsubscribed']);
    }
  });

  test('is not rate-limited, because a mail provider calls on behalf of all its users', async () => {
    const gateway = await site.startGateway({ LIMIT_FORMS: '1/3600', LIMIT_MAIL: '1/3600' });
    const path = await subscribe();
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
])('%s is an invalid link, for browsers and API clients', async (path) => {
  const page = await site.visitor.get(path, { headers: html });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.text).toContain('"subscription":null');
  expect((await site.visitor.get(path)).status).toBe(404);
  expect((await site.visitor.send('POST', path, oneClick)).status).toBe(404);
});

test('admins see the status of subscribers, filter and export by it, and lift a suppression', async () => {
  await subscribe('ada@example.com');
  await signUp('bob@example.com');
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

describe('a CSV file of addresses', () => {
  const startImport = (file: string | Buffer, query = 'name=fair.csv&consent=Signed+a+list+at+the+fair') =>
    admin.send<SubscriberImport>('POST', `/subscribers/import?${query}`, {
      body: file,
      headers: { 'Content-Type': 'text/csv' },
    });
  const finishedImport = (id: string) =>
    eventually(async () => {
      const { json } = await admin.get<SubscriberImport>(`/subscriber-imports/${id}`);
      expect(json.state).toBe('finished');
      return json;
    });

  test('is imported with the consent that the admin states, and every refused row has its reason', async () => {
    const unsubscribePath = await subscribe('left@example.com');
    await site.visitor.send('POST', unsubscribePath);
    await subscribe('there@example.com');
    await signUp('waits@example.com');
    await signUp('dead@example.com');
    await database.query(`UPDATE subscribers SET status = 'suppressed' WHERE email = 'dead@example.com'`);
    const fill = Array.from({ length: 600 }, (_, n) => `Person,p${n}@example.com`);
    const rows = [
      ...[
        'Name,E-mail',
        'A,New@Example.com',
        'B,new@example.com',
        'C,LEFT@example.com',
        'D,there@example.com',
      ],
      ...['E,waits@example.com', 'F,dead@example.com', 'G,=cmd()', '"H\nH","a@b\nBcc: x@example.com"', 'I,'],
      ...fill,
      'Z,p0@example.com',
    ];
    const begun = await startImport(rows.join('\r\n'));
    expect([begun.status, begun.json.rows]).toEqual([202, 610]);
    const report = await finishedImport(begun.json._id);
    expect(report).toMatchObject({ done: 610, added: 601, refused: 9, name: 'fair.csv' });
    expect(report.refusals.map(({ line, reason }) => [line, reason])).toEqual([
      ...[
        [3, 'twice'],
        [4, 'unsubscribed'],
        [5, 'subscribed'],
        [6, 'pending'],
        [7, 'suppressed'],
      ],
      ...[
        [8, 'noAddress'],
        [9, 'noAddress'],
        [12, 'noAddress'],
        [613, 'twice'],
      ],
    ]);
    const { text, headers } = await admin.get(`/subscriber-imports/${begun.json._id}/refused`);
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    expect(text).toContain(`"8","'=cmd()","Not a valid e-mail address"`);
    expect(text.trim().split('\r\n')).toHaveLength(10);
    const [person] = (await admin.get<SubscriberRecord[]>('/subscribers?search=new@')).json;
    expect(person).toMatchObject({
      email: 'New@Example.com',
      status: 'subscribed',
      consent: { source: 'import', text: 'Signed a list at the fair', ip: null },
    });
    const again = await finishedImport((await startImport(rows.join('\n'))).json._id);
    expect(again).toMatchObject({ added: 0, refused: 610 });
  });

  test('can also be sent as a form with exactly one file, as `curl -F` and browsers do', async () => {
    const startImportOfForm = async (files: string[]) => {
      const formData = new FormData();
      formData.set('comment', 'from the fair');
      for (const text of files) formData.append('file', new Blob([text], { type: 'text/csv' }), 'fair.csv');
      const { headers, body } = new Request(site.url, { method: 'POST', body: formData });
      const sent = Buffer.from(await new Response(body).arrayBuffer());
      return admin.send<SubscriberImport>('POST', '/subscribers/import?consent=Signed', {
        body: sent,
        headers: { 'Content-Type': headers.get('content-type')! },
      });
    };
    const begun = await startImportOfForm(['email\r\nform@example.com\r\n']);
    expect([begun.status, begun.json.rows]).toEqual([202, 1]);
    expect(await finishedImport(begun.json._id)).toMatchObject({ added: 1, refused: 0 });
    for (const files of [[], ['a@example.com', 'b@example.com']]) {
      expect(await startImportOfForm(files)).toMatchObject({
        status: 400,
        json: { errors: [{ field: 'file' }] },
      });
    }
    const broken = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const answer = await admin.send('POST', '/subscribers/import?consent=x', {
      body: '--y',
      headers: broken,
    });
    expect([answer.status, answer.json]).toMatchObject([400, { errors: [{ field: 'file' }] }]);
  });

  test.each([
    ['no consent', 'a@example.com', 'name=x.csv', 'consent'],
    ['blank consent', 'a@example.com', 'consent=++', 'consent'],
    ['no addresses', '\n\n', 'consent=x', 'file'],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x00]), 'consent=x', 'file'],
  ])('with %s is refused', async (_what, file, query, field) => {
    const { status, json } = await startImport(file, query);
    expect([status, json]).toMatchObject([400, { errors: [{ field }] }]);
  });

  test('of more than five megabytes is refused', async () => {
    expect((await startImport(Buffer.alloc(5 * 1024 * 1024 + 1, 'a'))).status).toBe(413);
  });
});

test('a provider’s report of a bounce is accepted only with a valid signature that is at most five minutes old', async () => {
  await signUp('gone@example.com');
  const body = { events: [{ id: 'one', kind: 'bounce', address: 'gone@example.com', reason: '550 gone' }] };
  const report = (signature?: string) =>
    site.visitor.send('POST', '/mail/events', {
      body,
      headers: signature === undefined ? {} : { 'Mail-Signature': signature },
    });
  expect((await report()).status).toBe(403);
  expect((await report(`t=0,v1=${'0'.repeat(64)}`)).status).toBe(403);
  const macAt = (at: number) =>
    createHmac('sha256', eventsSecret)
      .update(`${at}.${JSON.stringify(body)}`)
      .digest('hex');
  const now = Math.floor(Date.now() / 1_000);
  const old = now - 301;
  expect((await report(`t=${old},v1=${macAt(old)}`)).status).toBe(403);
  expect((await report(`t=${now},v1=${'0'.repeat(64)}`)).status).toBe(403);
  const answer = await report(`t=${now},v1=${macAt(now)}`);
  expect([answer.status, answer.json]).toEqual([200, { applied: 1 }]);
  const [person] = (await admin.get<SubscriberRecord[]>('/subscribers?search=gone@')).json;
  expect(person).toMatchObject({ status: 'suppressed', suppressed: { reason: '550 gone' } });
});

test.each(['/mail/events', '/mail/bounces'])('%s accepts 64 KiB at most', async (path) => {
  const { status } = await site.visitor.send('POST', path, { body: 'x'.repeat(64 * 1024 + 1) });
  expect(status).toBe(413);
});
