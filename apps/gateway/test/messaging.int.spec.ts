import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { BulkOutcome, Mail, Message, MessageWithThread, Subscriber } from '#libs/contracts';
import { type Answer, Session } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import { publicUrl, startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let admin: Session;
let database: pg.Client;

beforeAll(async () => {
  site = await startSite({
    without: ['orders', 'projects'],
    settings: { CORS_ORIGINS: 'https://partner.example', LIMIT_FORMS: '10000/60' },
  });
  admin = await site.admin();
  database = new pg.Client({ connectionString: site.databaseUrls.messaging });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await site?.stop();
});
beforeEach(() => database.query('DELETE FROM subscribers; DELETE FROM messages'));

type Created<R> = R & { acknowledged: true; insertedId: string };
const contactMessage = {
  fullName: 'Ada Lovelace',
  emailAddress: 'ada@example.com',
  subject: 'An engine',
  message: 'How much?',
  messageStatus: 'UnRead',
};
const countStored = async () => {
  const { rows } = await database.query<{ count: number }>(
    `SELECT ((SELECT count(*) FROM subscribers) + (SELECT count(*) FROM messages))::int AS count`,
  );
  return rows[0]!.count;
};

describe('the documented bodies are sufficient', () => {
  test('for a newsletter subscription, which an admin lists and removes', async () => {
    const answer = await site.visitor.post<Created<Subscriber>>('/add-subscriber', {
      email: 'ada@example.com',
    });
    expect([answer.status, answer.json]).toMatchObject([
      201,
      { acknowledged: true, insertedId: answer.json._id, email: 'ada@example.com', version: 1 },
    ]);
    // A visitor must not learn that the address is on the list already.
    const again = await site.visitor.post<Created<Subscriber>>('/add-subscriber', {
      email: 'ADA@example.com',
    });
    expect([again.status, Object.keys(again.json)]).toEqual([201, Object.keys(answer.json)]);
    expect(again.json.email).toBe('ADA@example.com');
    expect((await admin.post('/add-subscriber', { email: 'ADA@example.com' })).json).toEqual(answer.json);
    const listed = await admin.get<Subscriber[]>('/subscribers');
    expect(listed.json.map(({ _id }) => _id)).toEqual([answer.json._id]);
    expect(listed.headers.get('x-total-count')).toBe('1');
    expect(listed.headers.get('link')).toBeNull();
    expect(listed.headers.get('cache-control')).toBe('no-store');
    const path = `/subscriber/${answer.json._id}`;
    expect((await admin.delete(path)).json).toMatchObject({ acknowledged: true, deletedCount: 1 });
    expect((await admin.delete(path)).status).toBe(404);
  });

  test('for a message, which an admin can mark as read but not as unread again', async () => {
    const { status, json } = await site.visitor.post<Created<Message>>('/add-message', contactMessage);
    expect([status, json]).toMatchObject([
      201,
      { ...contactMessage, acknowledged: true, insertedId: json._id },
    ]);
    const path = `/message/${json._id}`;
    const read = (await admin.get<MessageWithThread>(path)).json;
    expect(read).toMatchObject(contactMessage);
    const stale = await admin.put(path, { messageStatus: 'Read' }, { headers: { 'If-Match': '"9"' } });
    const { thread: _, ...current } = read;
    expect([stale.status, stale.json]).toMatchObject([412, { current }]);
    const { _id, createdAt, updatedAt, version } = read;
    const marked = await admin.put(path, { messageStatus: 'Read', _id, createdAt, updatedAt, version });
    expect([marked.status, marked.json]).toMatchObject([
      200,
      { messageStatus: 'Read', matchedCount: 1, modifiedCount: 1, version: 2 },
    ]);
    expect((await admin.put(path, { messageStatus: 'Read' })).json).toMatchObject({ modifiedCount: 0 });
    const back = await admin.put<Problem>(path, { messageStatus: 'UnRead' });
    expect([back.status, back.json.code]).toEqual([409, 'INVALID_TRANSITION']);
    expect((await admin.put<Problem>(path, { messageStatus: 'Gone', subject: 'x' })).json).toMatchObject({
      errors: [{ field: 'messageStatus' }, { field: 'subject' }],
    });
    expect((await admin.delete(path)).status).toBe(200);
    expect((await admin.get(path)).status).toBe(404);
  });
});

describe.each([
  ['/add-subscriber', { email: 'once@example.com' }, { email: 'other@example.com' }],
  ['/add-message', contactMessage, { ...contactMessage, subject: 'Another' }],
])('an Idempotency-Key on %s', (path, body, other) => {
  const headers = { 'Idempotency-Key': 'a-key-of-somebody' };

  test('makes twelve parallel posts create one record, with equal answers', async () => {
    const second = await site.startGateway();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 ? site.visitor : Session.visitor(second.url)).post(path, body, { headers }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect(await countStored()).toBe(1);
    const reused = await site.visitor.post<Problem>(path, other, { headers });
    expect([reused.status, reused.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await countStored()).toBe(1);
  });

  test('of another person is independent', async () => {
    const [first, second] = [await site.customer(), await site.customer()];
    const key = { headers: { 'Idempotency-Key': `shared-by-chance-on-${path}` } };
    const answers = [await first.post(path, body, key), await second.post(path, other, key)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await countStored()).toBe(2);
  });

  test('marks a repetition even if filling in the form took longer than the first time', async () => {
    const key = { headers: { 'Idempotency-Key': `measured${path}` } };
    const first = await site.visitor.post(path, { ...body, filledMs: 4000, website: '' }, key);
    const again = await site.visitor.post(path, { ...body, filledMs: 9000, website: '' }, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
  });
});

describe('invalid newsletter subscriptions and messages', () => {
  const json = 'application/json';
  const nul = '{"email":"a\\u0000@example.com","emailAddress":"a@example.com","fullName":"a\\u0000"}';
  test.each([
    ['an empty body', '', json, 400],
    ['an empty object', '{}', json, 400],
    ['an array', '[{"email":"a@example.com"}]', json, 400],
    ['a string', '"a@example.com"', json, 400],
    ['null', 'null', json, 400],
    ['a number too large for a double', '1e999', json, 400],
    ['a wrong type', '{"email":1e999,"fullName":["a"],"emailAddress":{"$ne":null}}', json, 400],
    ['a poisoned prototype', '{"__proto__":{"email":"a@example.com"}}', json, 400],
    ['a deeply nested value', `{"email":${'['.repeat(50)}${']'.repeat(50)}}`, json, 400],
    ['a NUL', nul, json, 400],
    ['a lone surrogate', '{"email":"\\ud800@example.com","fullName":"\\ud800"}', json, 400],
    ['more than a megabyte', `{"email":"${'x'.repeat(1_100_000)}"}`, json, 413],
    ['a form', 'email=a@example.com', 'application/x-www-form-urlencoded', 415],
    ['plain text', '{"email":"a@example.com"}', 'text/plain', 415],
  ])('are refused: %s', async (_name, body, type, status) => {
    for (const path of ['/add-subscriber', '/add-message']) {
      const answer = await site.visitor.send<Problem>('POST', path, {
        body,
        headers: { 'Content-Type': type },
      });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    }
    expect(await countStored()).toBe(0);
  });

  test.each(['\r\nBcc: eve@example.com', '\nX: y', '\r', '\u2028', '\u0085', '\u001b[31m'])(
    'are refused: a header or a log line hidden in a field, %j',
    async (hidden) => {
      const message = Object.fromEntries(
        Object.entries(contactMessage).map(([name, value]) =>
          /fullName|emailAddress|subject/.test(name) ? [name, value + hidden] : [name, value],
        ),
      );
      const answer = await site.visitor.post<Problem>('/add-message', message);
      expect(answer.status).toBe(400);
      expect(answer.json.errors?.map(({ field }) => field)).toEqual(['fullName', 'emailAddress', 'subject']);
      const subscription = await site.visitor.post('/add-subscriber', { email: `ada@example.com${hidden}` });
      expect(subscription.status).toBe(400);
      expect(await countStored()).toBe(0);
    },
  );

  test('are refused: a message that claims to be read, or has unknown fields', async () => {
    const answer = await site.visitor.post<Problem>('/add-message', {
      ...contactMessage,
      messageStatus: 'Read',
      admin: 1,
    });
    expect([answer.status, answer.json.errors?.map(({ field }) => field)]).toEqual([
      400,
      ['messageStatus', 'admin'],
    ]);
  });
});

describe('records that an admin selected in a list', () => {
  test('are deleted by one call and restored by another; the first call, repeated with the same key, deletes nothing', async () => {
    const ids: string[] = [];
    for (const email of ['one@example.com', 'two@example.com'])
      ids.push((await admin.post<Subscriber>('/add-subscriber', { email })).json._id);
    const key = { headers: { 'Idempotency-Key': 'delete-these-two' } };
    const removed = await admin.post('/subscribers/delete', { ids }, key);
    expect([removed.status, removed.json]).toEqual([200, { done: ids, failed: [] }]);
    const back = await admin.post('/subscribers/restore', { ids });
    expect([back.status, back.json]).toEqual([200, { done: ids, failed: [] }]);
    expect((await admin.post('/subscribers/delete', { ids }, key)).text).toBe(removed.text);
    expect(await countStored()).toBe(2);
  });

  test('are a hundred at most, and each failure has its reason', async () => {
    const unknown = Array.from(
      { length: 101 },
      (_, n) => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    );
    const many = await admin.put<Problem>('/messages/status', { ids: unknown, messageStatus: 'Read' });
    expect([many.status, many.json.errors]).toEqual([
      400,
      [{ field: 'ids', message: 'must name at most 100 records' }],
    ]);
    const ids = unknown.slice(1);
    const { status, json } = await admin.put<BulkOutcome>('/messages/status', { ids, messageStatus: 'Read' });
    expect([status, json.done, json.failed.length]).toEqual([200, [], 100]);
    expect(json.failed[0]).toEqual({
      _id: ids[0],
      code: 'NOT_FOUND',
      message: 'This record doesn’t exist. It may have been deleted.',
    });
  });
});

describe('signs of a bot', () => {
  test.each([
    ['a filled honeypot', { website: 'https://spam.example' }, 400, 'INVALID_INPUT'],
    ['a form filled in no time', { filledMs: 20 }, 429, 'RATE_LIMITED'],
  ])('%s is refused visibly, and nothing is stored', async (_name, signs, status, code) => {
    for (const [path, body] of [
      ['/add-subscriber', { email: 'ada@example.com' }],
      ['/add-message', contactMessage],
    ] as const) {
      const answer = await site.visitor.post<Problem>(path, { ...body, ...signs });
      expect([answer.status, answer.json.code]).toEqual([status, code]);
      expect(answer.json.detail).toContain('send the form again');
    }
    expect(await countStored()).toBe(0);
  });
});

describe('a form sent from a browser', () => {
  const subscription = { email: 'ada@example.com' };
  test.each([
    [{}, 201],
    [{ Origin: publicUrl }, 201],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 201],
    [{ Origin: 'https://partner.example', 'Sec-Fetch-Site': 'cross-site' }, 201],
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ Cookie: 'signed_in=1' }, 403],
    [{ Cookie: 'signed_in=1', Origin: 'https://evil.example' }, 403],
    [{ Cookie: 'signed_in=1', Origin: 'https://partner.example' }, 403],
    [{ Cookie: 'signed_in=1', Origin: publicUrl }, 201],
  ])('with the headers %j gets %i', async (headers, status) => {
    const answers = [
      await site.visitor.post('/add-subscriber', subscription, { headers }),
      await site.visitor.post('/add-message', contactMessage, { headers }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect(await countStored()).toBe(status === 201 ? 2 : 0);
  });

  test('is limited per client network, for both forms and all gateways together', async () => {
    const settings = { LIMIT_FORMS: '4/3600', TRUSTED_PROXIES: '127.0.0.0/8, ::1' };
    const gateways = [await site.startGateway(settings), await site.startGateway(settings)];
    const send = async (i: number, address: string) => {
      const headers = { 'X-Forwarded-For': address };
      const visitor = Session.visitor(gateways[i % 2]!.url);
      return i % 3
        ? visitor.post('/add-subscriber', { email: `a${i}@example.com` }, { headers })
        : visitor.post('/add-message', contactMessage, { headers });
    };
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await send(i, '198.51.100.7')).status);
    expect(statuses).toEqual([201, 201, 201, 201, 429, 429]);
    expect(Number((await send(6, '198.51.100.7')).headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(7, '198.51.100.8')).status).toBe(201);
  });
});

describe('lists', () => {
  beforeEach(async () => {
    await database.query(
      `INSERT INTO subscribers (id, email, email_normalized, version, created_at, updated_at)
       SELECT gen_random_uuid(), email, email, 1, created_at, created_at
       FROM (SELECT 'p' || n || '@example.com' AS email, now() - (n / 5) * interval '1 ms' AS created_at
             FROM generate_series(1, 2500) n) AS people`,
    );
    await database.query(
      `INSERT INTO messages
         (id, full_name, email_address, subject, message, message_status, version, created_at, updated_at)
       SELECT gen_random_uuid(), 'P & <' || n || '>', 'p@example.com', 'Subject', 'Text',
         CASE WHEN n % 5 = 0 THEN 'Read' ELSE 'UnRead' END, 1, now() - n * interval '1 ms', now()
       FROM generate_series(1, 50) n`,
    );
  });

  test('are complete if a client follows Link, and have each record once', async () => {
    const ids: string[] = [];
    let path: string | undefined = '/subscribers/?limit=600&page=1';
    while (path !== undefined) {
      const { status, json, headers }: Answer<Subscriber[]> = await admin.get(path);
      expect([status, headers.get('x-total-count')]).toEqual([200, '2500']);
      ids.push(...json.map(({ _id }) => _id));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect([ids.length, new Set(ids).size]).toEqual([2500, 2500]);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => admin.get<Subscriber[]>(`/subscribers?limit=1000&page=${page}`)),
    );
    expect(pages.flatMap(({ json }) => json.map(({ _id }) => _id))).toEqual(ids);
    const newest = await admin.get<Subscriber[]>('/subscribers');
    expect(newest.json).toEqual(pages[0]!.json);
    expect(newest.headers.get('link')).toContain('</subscribers?cursor=');
  });

  test('keep filter and search from page to page', async () => {
    const names = [];
    let path: string | undefined = '/messages?messageStatus=Read&search=P+%26+%3C1&limit=1';
    while (path !== undefined) {
      const { json, headers }: Answer<Message[]> = await admin.get(path);
      expect(headers.get('x-total-count')).toBe('2');
      names.push(...json.map(({ fullName }) => fullName));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(names).toEqual(['P & <10>', 'P & <15>']);
    expect((await admin.get<Message[]>('/messages?messageStatus=UnRead')).json).toHaveLength(40);
  });

  test.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1e3', 'page'],
    ['page=', 'page'],
    ['limit=1001', 'limit'],
    ['limit=0', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=x', 'cursor'],
    ['cursor=', 'cursor'],
    ['cursor=%00', 'cursor'],
    ['search=%00', 'search'],
    [`search=${'x'.repeat(300)}`, 'search'],
  ])('refuse %s', async (query, field) => {
    for (const path of ['/subscribers', '/messages']) {
      const answer = await admin.get<Problem>(`${path}?${query}`);
      expect([answer.status, answer.json.errors?.map((error) => error.field)]).toEqual([400, [field]]);
    }
  });

  test('of messages refuse statuses that are not documented', async () => {
    const answer = await admin.get<Problem>('/messages?messageStatus=read');
    expect([answer.status, answer.json.errors?.[0]?.field]).toEqual([400, 'messageStatus']);
  });
});

describe('downloads of lists', () => {
  test('have all rows that match the filter, and nothing that a spreadsheet would run', async () => {
    const subject = `=HYPERLINK("http://evil.example","a, b")`;
    for (const fullName of ['Ada', 'Bob']) {
      await site.visitor.post('/add-message', {
        ...contactMessage,
        fullName,
        subject,
        message: 'two\nlines',
      });
    }
    const answer = await admin.get('/messages/export?search=ada@&sort=fullName&direction=asc');
    const [head, ...lines] = answer.text.split('\r\n');
    expect(head).toBe('"Name","E-mail","Subject","Message","Status","Received","Answered"');
    expect(lines.map((line) => line.replace(/"[^"]*Z",""$/, 'when'))).toEqual([
      `"Ada","ada@example.com","'=HYPERLINK(""http://evil.example"",""a, b"")","two\nlines","UnRead",when`,
      `"Bob","ada@example.com","'=HYPERLINK(""http://evil.example"",""a, b"")","two\nlines","UnRead",when`,
      '',
    ]);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="messages-.+\.csv"$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await admin.get('/messages/export?messageStatus=Read')).text.split('\r\n')).toHaveLength(2);
    expect((await admin.get('/messages/export?messageStatus=read')).status).toBe(400);
  });

  test('have more records than one page of a list, in the requested order', async () => {
    await database.query(
      `INSERT INTO subscribers (id, email, email_normalized, version, created_at, updated_at)
       SELECT gen_random_uuid(), 'S' || n || '@example.com', 's' || n || '@example.com', 1, now(), now()
       FROM generate_series(1, 2500) n`,
    );
    const { text } = await admin.get('/subscribers/export?sort=email&direction=asc&search=S');
    const addresses = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split('"')[1]!.toLowerCase());
    expect(addresses).toHaveLength(2500);
    expect(addresses).toEqual([...new Set(addresses)].sort());
  });

  test('have the figures of the campaigns', async () => {
    for (const subject of ['=1+1', 'Other']) await admin.post('/campaigns', { subject, body: 'Hello' });
    const { text, headers } = await admin.get('/campaigns/export?state=draft&search=1%2B1');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="campaigns-.+\.csv"$/);
    const [head, ...lines] = text.split('\r\n');
    expect(head).toContain('"Subject","State","Scheduled","Started","Finished","Recipients","Sent","Failed"');
    expect(lines).toEqual([expect.stringMatching(/^"'=1\+1","draft","","","","0","0"/), '']);
  });

  test('have the sent mails, all of them or those of one campaign', async () => {
    const campaign = '019a0000-0000-7000-8000-00000000aaaa';
    await database.query(
      `INSERT INTO mails (id, template, params, to_address, message_id, state, priority, attempts, next_attempt_at, subject,
         answer, finished_at, campaign_id, subscriber_id, created_at)
       SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN 'campaign' ELSE 'orderPaid' END, '{}', 'r' || n || '@example.com',
         '<' || n || '@example.com>', 'sent', 2, 1, now(), '=1+' || n, '@250 taken', now(),
         CASE WHEN n % 2 = 0 THEN $1::uuid END, CASE WHEN n % 2 = 0 THEN gen_random_uuid() END, now() - n * interval '1 s'
       FROM generate_series(1, 2200) n`,
      [campaign],
    );
    const [head, ...lines] = (await admin.get('/mails/export?search=@example.com&state=sent')).text.split(
      '\r\n',
    );
    expect(head).toContain('"Created","To","Mail","Subject","State","Attempts","Server response"');
    expect(lines[0]).toContain(`"r1@example.com","orderPaid","'=1+1","sent","1","'@250 taken"`);
    expect(lines).toHaveLength(2201);
    const filter = `campaign=${campaign}&search=r2`;
    const listed = await admin.get<Mail[]>(`/mails?${filter}&limit=5`);
    expect(listed.json[0]).toMatchObject({ campaignId: campaign, resendable: false });
    const { headers, text } = await admin.get(`/mails/export?${filter}`);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="mails-.+\.csv"$/);
    expect(text.match(new RegExp(`"${campaign}"\r\n`, 'g'))).toHaveLength(
      Number(listed.headers.get('x-total-count')),
    );
    const answer = await admin.get<Problem>('/mails/export?campaign=x');
    expect([answer.status, answer.json.errors?.[0]?.field]).toEqual([400, 'campaign']);
  });
});
