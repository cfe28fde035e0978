import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, sampleEvery } from '#libs/testing';
import { Shop } from './shop.harness.js';

let shop: Shop;
const backlog = 100;

beforeAll(async () => {
  shop = await Shop.open({
    ordersSettings: {
      NOTICE_BACKLOG: String(backlog),
      NOTICE_ALERT_SECONDS: '1',
      PAYMENT_OUTCOME_SECONDS: '3',
      PAYMENT_RECONCILE_SECONDS: '1',
    },
    settings: { LIMIT_NOTICES: '100000/60' },
    without: ['messaging', 'projects'],
  });
});
afterAll(() => shop?.close());

const stored = async (body: Buffer) => {
  const hash = createHash('sha256').update(body).digest();
  const { rows } = await shop.sql.query<{ body: Buffer; content_type: string; receipts: number }>(
    'SELECT body, content_type, receipts FROM payment_notices WHERE body_hash = $1',
    [hash],
  );
  return rows;
};

describe('a payment notification', () => {
  test.each([
    ['a form', 'application/x-www-form-urlencoded', Buffer.from('a=b&c=%E9')],
    [
      'a form in another charset',
      'application/x-www-form-urlencoded; charset=windows-1252',
      Buffer.from([0x61, 0x3d, 0xe9]),
    ],
    ['JSON', 'application/json', Buffer.from('{"a":1}')],
    ['malformed JSON', 'application/json', Buffer.from('{"a":')],
    ['plain text', 'text/plain', Buffer.from('a=b')],
    ['arbitrary data', 'application/octet-stream', Buffer.from([0, 1, 2, 0xff, 0xfe])],
    ['text with an invalid content type', 'nonsense', Buffer.from('a=nonsense')],
    ['64 KiB (the largest allowed size)', 'text/plain', Buffer.alloc(64 * 1024, 'x')],
  ])('whose body is %s is stored unchanged', async (_what, type, body) => {
    const answer = await shop.notify(body, { 'Content-Type': type });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(await stored(body)).toMatchObject([{ body, content_type: type }]);
  });

  test('without a content type is stored, too, and an empty body is accepted', async () => {
    const body = Buffer.from('typeless=1');
    const answer = await fetch(shop.ipnUrl, { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(await stored(body)).toHaveLength(1);
    expect((await fetch(shop.ipnUrl, { method: 'POST' })).status).toBe(200);
  });

  test('that arrives thirty times in parallel is stored once, and its arrivals are counted', async () => {
    const body = Buffer.from('again=1');
    const answers = await Promise.all(Array.from({ length: 30 }, () => shop.notify(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stored(body)).toMatchObject([{ receipts: 30 }]);
  });

  test('with an invalid access token is stored, because no session is needed', async () => {
    const body = Buffer.from('with=bearer');
    expect((await shop.notify(body, { Authorization: 'Bearer nonsense' })).status).toBe(200);
    expect(await stored(body)).toHaveLength(1);
  });

  test('with a session’s cookie is refused, because another site may have made the browser send it', async () => {
    const body = Buffer.from('with=cookie');
    expect((await shop.notify(body, { Cookie: 'access_token=nonsense' })).status).toBe(403);
    expect(await stored(body)).toEqual([]);
  });

  test('is posted back to PayPal unchanged', async () => {
    const body = 'b=2&a=1&&x=%e9+%2B&empty=&A=%0A';
    await shop.notify(body);
    await eventually(async () =>
      expect((await shop.paypal.postbacks()).map((postback) => postback.body)).toContain(body),
    );
    const postback = (await shop.paypal.postbacks()).find((other) => other.body === body)!;
    expect([postback.verdict, postback.userAgent]).toEqual([
      'INVALID',
      expect.stringContaining('seo-services'),
    ]);
  });

  test('cannot be sent by GET, which is answered with 405', async () => {
    expect((await fetch(shop.ipnUrl)).status).toBe(405);
  });
});

/** Pieces of 16 KiB, without a Content-Length. */
function chunked(pieces: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if ((sent += 1) > pieces) controller.close();
      else controller.enqueue(new Uint8Array(16 * 1024));
    },
  });
}

describe('a flood', () => {
  test('of bodies that are too large is refused, with or without a Content-Length', async () => {
    for (const body of [Buffer.alloc(64 * 1024 + 1), Buffer.alloc(10 * 1024 * 1024)]) {
      expect((await shop.notify(body)).status).toBe(413);
    }
    const type = { 'Content-Type': 'application/json' };
    expect((await shop.notify(Buffer.alloc(64 * 1024 + 1), type)).status).toBe(413);
    const streamed = await fetch(shop.ipnUrl, {
      method: 'POST',
      body: chunked(640),
      duplex: 'half',
    } as RequestInit).then(
      ({ status }) => status,
      // The connection may be closed before everything was sent.
      () => 413,
    );
    expect(streamed).toBe(413);
  });

  test('of invented notifications is mostly refused, while the site and buyers are not affected', async () => {
    const order = await shop.placeOrder();
    const form = await shop.form(order);
    await shop.paypal.setPostbackMode('error');
    const bogus = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const answer = await shop.notify(`bogus=${i}`);
        return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
      }),
    );
    const refused = bogus.filter(({ status }) => status === 503);
    expect(bogus.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(refused.length).toBeGreaterThan(100);
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
    const waiting = await shop.countNotifications('waiting');
    expect(waiting).toBeGreaterThanOrEqual(1);
    // Notifications that match no payment attempt may fill half of the backlog. Those that arrive at the same moment do not count each other, so a
    // few more are stored.
    expect(waiting).toBeLessThan(backlog / 2 + 35);

    expect((await shop.site.visitor.get('/site-content')).status).toBe(200);
    await shop.paypal.pay(form);
    await shop.paypal.waitUntilIdle();
    expect(await shop.decisions(order)).toMatchObject([{ status: 'waiting' }]);
    await shop.paypal.behave();
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid' });
  });

  test('from one client network is limited, except for the first notification of each payment attempt', async () => {
    const strict = await shop.site.startGateway({ LIMIT_NOTICES: '5/600' });
    const answers = [];
    for (let i = 0; i < 8; i += 1) {
      answers.push(await fetch(`${strict.url}/paypal/ipn`, { method: 'POST', body: `limited=${i}` }));
    }
    // Notifications of the other tests count as well if they came in the same window.
    expect(answers.at(-1)!.status).toBe(429);
    expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
    const order = await shop.placeOrder();
    await shop.paypal.pay({ ...(await shop.form(order)), notify_url: `${strict.url}/paypal/ipn` });
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid' });
    const [notification] = await shop.paypal.ipns({ invoice: order.id });
    expect(notification!.deliveries).toMatchObject([{ status: 200 }]);
  });
});

describe('an answer to the postback that is neither VERIFIED nor INVALID', () => {
  test.each(sampleEvery(3, ['timeout', 'error', 'html', 'redirect', 'drip', 'wrong word', 'reset'] as const))(
    '%s: the notification is posted back again and flags the order, and makes it Paid once PayPal confirms it',
    async (mode) => {
      const order = await shop.placeOrder();
      const match = { invoice: order.id };
      await shop.paypal.setPostbackMode(mode, { match });
      await shop.paypal.pay(await shop.form(order));
      await shop.paypal.waitUntilIdle();
      await eventually(async () => expect((await shop.storedOrder(order)).flags).toEqual(['unverified']));
      await eventually(async () => {
        const postbacks = (await shop.paypal.postbacks()).filter(({ body }) => body.includes(order.id));
        expect(postbacks.length).toBeGreaterThan(1);
      });
      expect(await shop.storedOrder(order)).toMatchObject({
        paymentStatus: 'UnPaid',
        paymentState: 'unpaid',
      });
      expect(await shop.decisions(order)).toMatchObject([{ status: 'waiting' }]);
      expect(await shop.returnFromPayment(order)).toBe('under_review');
      expect(shop.site.orders[0]!.log).toContainEqual(
        expect.objectContaining({
          level: 'error',
          orderId: order.id,
          msg: 'A payment notification is not verified',
        }),
      );
      await shop.paypal.behave(match);
      await shop.settled();
      expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', paymentState: 'paid' });
      expect(await shop.paymentEvents(order)).toEqual(['Completed']);
    },
  );
});

describe('reconciliation', () => {
  test('reports an attempt without an outcome once, and still accepts its money', async () => {
    const order = await shop.placeOrder();
    const form = await shop.form(order);
    expect(await shop.returnFromPayment(order)).toBe('confirming');
    await eventually(async () =>
      expect((await shop.timeline(order)).map(({ kind }) => kind)).toEqual([
        'attempt_started',
        'attempt_unanswered',
      ]),
    );
    expect(await shop.returnFromPayment(order)).toBe('unpaid');
    const metrics = await (await shop.site.orders[0]!.health('/metrics')).text();
    expect(metrics).toMatch(/payment_attempts_without_outcome_total\{service="orders"\} [1-9]/);
    await shop.paypal.pay(form);
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid' });
    expect((await shop.timeline(order)).filter(({ kind }) => kind === 'attempt_unanswered')).toHaveLength(1);
  });
});
