import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { AdminUser, Order, OrdersSummary, PaypalEmail, TimelineEntry } from '#libs/contracts';
import { type Answer, eventually, type Session } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import { adminCredentials, startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let admin: Session;
let ada: Session;
let grace: Session;
let database: pg.Client;

beforeAll(async () => {
  site = await startSite({
    without: ['messaging', 'projects'],
    processes: ['orders'],
    seed: 'demo',
    gateways: 2,
    settings: { LIMIT_ORDERS: '100000/60' },
  });
  [admin, ada, grace] = await Promise.all([site.admin(), site.customer(), site.customer()]);
  database = new pg.Client({ connectionString: site.databaseUrls.orders });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await site?.stop();
});

type Created = Order & { acknowledged: true; insertedId: string };
type Updated = Order & { acknowledged: true; matchedCount: 1; modifiedCount: 0 | 1 };

const bodyOf = (person: Session) => ({
  packageName: 'Basic',
  packagePrice: '290.00',
  customerEmail: person.email!,
  customerName: 'Ada Lovelace',
  customerAddress: '1 Analytical Way',
  customerCountry: 'United Kingdom',
  paymentStatus: 'UnPaid',
  orderStatus: 'Pending',
  orderDate: new Date().toLocaleDateString('en-US', { month: '2-digit', day: '2-digit', year: 'numeric' }),
});
const place = async (person = ada, more: object = {}) => {
  const answer = await person.post<Created>('/new-order', { ...bodyOf(person), ...more });
  expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
  return answer.json;
};
const deleteOrders = () => database.query('DELETE FROM orders');

describe('POST /new-order', () => {
  test('answers the documented body with the stored order', async () => {
    const body = bodyOf(ada);
    const answer = await ada.post<Created>('/new-order', body);
    expect([answer.status, answer.json]).toEqual([
      201,
      {
        ...body,
        _id: answer.json.insertedId,
        number: expect.any(Number),
        accountId: expect.any(String),
        insertedId: expect.any(String),
        acknowledged: true,
        paymentState: 'unpaid',
        payments: [],
        ...{ refunded: '0.00', disputed: '0.00', paidTwice: false },
        ...{ addedTax: '0.00', addedTaxRate: '0', billingDetails: null },
        ...{ cancelledBy: null, renewal: null, seller: null, paymentHold: null },
        payable: true,
        flags: [],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        version: 1,
      },
    ]);
    const { acknowledged: _a, insertedId, ...record } = answer.json;
    expect((await ada.get(`/order/${insertedId}`)).json).toEqual(record);
  });

  test('two hundred parallel posts with 20 idempotency keys create 20 orders', async () => {
    await deleteOrders();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        ada
          .at(site.gateways[i % 2]!.url)
          .post<Created>(
            '/new-order',
            { ...bodyOf(ada), customerName: `Ada ${i % 20}` },
            { headers: { 'Idempotency-Key': `order-${i % 20}` } },
          ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(20);
    expect((await database.query('SELECT 1 FROM orders')).rowCount).toBe(20);
    const list = await ada.get<Order[]>('/orders');
    expect([list.json.length, list.headers.get('x-total-count')]).toEqual([20, '20']);
    expect((await ada.get<OrdersSummary>('/orders/summary')).json.orders).toBe(20);
    const timelineEntries = await database.query(
      'SELECT 1 FROM order_timeline t JOIN orders o ON o.id = t.order_id',
    );
    expect(timelineEntries.rowCount).toBe(20);
    const reused = await ada.post<Problem>(
      '/new-order',
      { ...bodyOf(ada), customerName: 'Ada 2' },
      { headers: { 'Idempotency-Key': 'order-1' } },
    );
    expect([reused.status, reused.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('the same key of two people creates two orders', async () => {
    const headers = { 'Idempotency-Key': 'shared-by-chance' };
    const answers = [
      await ada.post<Created>('/new-order', bodyOf(ada), { headers }),
      await grace.post<Created>('/new-order', bodyOf(grace), { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(answers.map(({ json }) => json._id)).size).toBe(2);
  });

  test.each<[string, object, number, string]>([
    ['another’s e-mail address', { customerEmail: adminCredentials.email }, 403, 'FORBIDDEN'],
    ['a lower price', { packagePrice: '2.90' }, 409, 'PRICE_CHANGED'],
    ['a price of zero', { packagePrice: '0' }, 409, 'PRICE_CHANGED'],
    ['an unknown package', { packageName: 'Gold' }, 409, 'PRICE_CHANGED'],
    ['a price that is a number', { packagePrice: 290 }, 400, 'INVALID_INPUT'],
    ['the status Paid', { paymentStatus: 'Paid' }, 400, 'INVALID_INPUT'],
    ['the status Delivered', { orderStatus: 'Delivered' }, 400, 'INVALID_INPUT'],
    ['an unknown field', { accountId: 'x' }, 400, 'INVALID_INPUT'],
    ['no name', { customerName: '' }, 400, 'INVALID_INPUT'],
  ])('with %s is refused', async (_what, more, status, code) => {
    const before = (await ada.get('/orders')).headers.get('x-total-count');
    const answer = await ada.post<Problem>('/new-order', { ...bodyOf(ada), ...more });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    if (code === 'INVALID_INPUT')
      expect(answer.json.errors?.map(({ field }) => field)).toEqual(Object.keys(more));
    expect((await ada.get('/orders')).headers.get('x-total-count')).toBe(before);
  });

  test('an order keeps its price when the package’s price changes; posting the old price is refused, and the answer has the new price', async () => {
    const [basic] = (await site.visitor.get<{ _id: string; packageName: string }[]>('/pricings')).json.filter(
      ({ packageName }) => packageName === 'Basic',
    );
    const before = await place();
    const changed = await admin.put(`/pricing/${basic!._id}`, { ...basic, packagePrice: '310.50' });
    expect(changed.status).toBe(200);
    expect((await place(ada, { packagePrice: '310.5' })).packagePrice).toBe('310.50');
    const refused = await ada.post<Problem>('/new-order', bodyOf(ada));
    expect([refused.status, refused.json]).toMatchObject([
      409,
      { code: 'PRICE_CHANGED', current: { packageName: 'Basic', packagePrice: '310.50' } },
    ]);
    expect((await ada.get<Order>(`/order/${before._id}`)).json.packagePrice).toBe('290.00');
    await admin.put(`/pricing/${basic!._id}`, { ...basic, packagePrice: '290.00' });
    await place();
  });

  test('is limited per client network, and reading orders is not', async () => {
    const settings = { LIMIT_ORDERS: '3/3600', TRUSTED_PROXIES: '127.0.0.0/8, ::1' };
    const gateway = await site.startGateway(settings);
    const placeFrom = async (address: string, person: Session) => {
      const headers = { 'X-Forwarded-For': address };
      return (await person.at(gateway.url).post('/new-order', bodyOf(person), { headers })).status;
    };
    const statuses: number[] = [];
    for (const person of [ada, grace, ada, grace]) statuses.push(await placeFrom('198.51.100.7', person));
    expect(statuses).toEqual([201, 201, 201, 429]);
    expect(await placeFrom('198.51.100.8', ada)).toBe(201);
    const headers = { 'X-Forwarded-For': '198.51.100.7' };
    expect((await ada.at(gateway.url).get('/orders', { headers })).status).toBe(200);
  });
});

describe('an order', () => {
  test('of another person is not found', async () => {
    const { _id } = await place(ada);
    for (const [method, path] of [
      ['GET', `/order/${_id}`],
      ['GET', `/order/${_id}/timeline`],
      ['PUT', `/order-cancelled/${_id}`],
    ] as const) {
      const body = method === 'PUT' ? { body: { paymentStatus: 'Cancelled' } } : {};
      const answers = await Promise.all([
        site.visitor.send<Problem>(method, path, body),
        grace.send<Problem>(method, path, body),
        grace.send<Problem>(method, path.replace(_id, 'x'), body),
      ]);
      expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
        [401, 'UNAUTHENTICATED'],
        [404, 'NOT_FOUND'],
        [404, 'NOT_FOUND'],
      ]);
    }
    expect((await grace.get<Order[]>(`/orders?search=${_id}`)).json).toEqual([]);
    expect((await admin.get<Order>(`/order/${_id}`)).json).toMatchObject({ _id, version: 1 });
  });

  test('has statuses that only admins can set: even its own customer is refused', async () => {
    const { _id } = await place(ada);
    for (const person of [ada, grace]) {
      for (const [path, body] of [
        [`/order/${_id}`, { paymentStatus: 'Paid' }],
        [`/order-status/${_id}`, { orderStatus: 'Delivered' }],
      ] as const) {
        const answer = await person.put<Problem>(path, body);
        expect([path, answer.status, answer.json.detail]).toEqual([
          path,
          403,
          "You don't have any permission",
        ]);
      }
      expect((await person.send('POST', `/order/${_id}/flags-cleared`)).status).toBe(403);
    }
    expect((await ada.get<Order>(`/order/${_id}`)).json).toMatchObject({
      version: 1,
      paymentStatus: 'UnPaid',
      orderStatus: 'Pending',
    });
  });

  test('accepts a status from an admin unless If-Match is outdated, and its customer does not see who set it', async () => {
    const { _id } = await place(ada);
    const paid = await admin.put<Updated>(`/order/${_id}`, {
      paymentStatus: 'Paid',
      _id,
      version: 1,
      createdAt: '',
    });
    expect([paid.status, paid.json]).toMatchObject([
      200,
      { _id, paymentStatus: 'Paid', version: 2, acknowledged: true, matchedCount: 1, modifiedCount: 1 },
    ]);
    expect((await admin.put<Updated>(`/order/${_id}`, { paymentStatus: 'Paid' })).json.modifiedCount).toBe(0);
    const headers = { 'If-Match': '"1"' };
    const stale = await admin.put<Problem>(`/order-status/${_id}`, { orderStatus: 'Delivered' }, { headers });
    expect([stale.status, stale.json.current]).toMatchObject([412, { _id, version: 2 }]);
    const delivered = await admin.put<Updated>(`/order-status/${_id}/`, { orderStatus: 'Delivered' });
    expect(delivered.json).toMatchObject({ orderStatus: 'Delivered', version: 3, modifiedCount: 1 });
    const entries = (await admin.get<TimelineEntry[]>(`/order/${_id}/timeline`)).json;
    expect(entries.map(({ kind }) => kind)).toEqual(['placed', 'payment_status_set', 'order_status_set']);
    expect(entries[1]).toMatchObject({
      by: adminCredentials.email,
      evidence: { before: 'UnPaid' },
    });
    const seen = (await ada.get<TimelineEntry[]>(`/order/${_id}/timeline`)).json;
    expect(seen.map(({ by, evidence }) => [by, evidence])).toEqual(Array(3).fill([null, {}]));
  });

  test.each([
    ['/order/', { paymentStatus: 'Cancelled' }, 'paymentStatus'],
    ['/order/', { paymentStatus: 'paid' }, 'paymentStatus'],
    ['/order/', {}, 'paymentStatus'],
    ['/order/', { paymentStatus: 'Paid', orderStatus: 'Delivered' }, 'orderStatus'],
    ['/order-status/', { orderStatus: 'Shipped' }, 'orderStatus'],
    ['/order-cancelled/', { paymentStatus: 'UnPaid' }, 'paymentStatus'],
    ['/order-cancelled/', { paymentStatus: 'Paid' }, 'paymentStatus'],
    ['/order-cancelled/', {}, 'paymentStatus'],
  ])('PUT %s with %j is refused', async (path, body, field) => {
    const { _id } = await place(ada);
    const answer = await admin.put<Problem>(path + _id, body);
    expect([answer.status, answer.json.errors?.map((error) => error.field)]).toEqual([400, [field]]);
  });

  test('is cancelled once, and not when it is paid', async () => {
    const { _id } = await place(ada);
    const cancel = () => ada.put<Updated>(`/order-cancelled/${_id}`, { paymentStatus: 'Cancelled' });
    const answers = await Promise.all(Array.from({ length: 10 }, cancel));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ json }) => json.modifiedCount === 1)).toHaveLength(1);
    expect(answers[0]!.json).toMatchObject({ paymentStatus: 'Cancelled', payable: false, version: 2 });
    const paidOrder = await place(ada);
    await admin.put(`/order/${paidOrder._id}`, { paymentStatus: 'Paid' });
    const late = await ada.put<Problem>(`/order-cancelled/${paidOrder._id}`, { paymentStatus: 'Cancelled' });
    expect([late.status, late.json.code]).toEqual([409, 'ALREADY_PAID']);
  });

  test('is flagged for admins only, until an admin has reviewed it', async () => {
    const { _id } = await place(ada);
    await database.query(`UPDATE orders SET flags = '{notice_held}' WHERE id = $1`, [_id]);
    expect((await admin.get<Order[]>('/orders?flagged=true')).json).toMatchObject([
      { _id, flags: ['notice_held'] },
    ]);
    expect((await ada.get<Order[]>('/orders?flagged=true')).json).toEqual([]);
    expect((await ada.get<Order>(`/order/${_id}`)).json.flags).toEqual([]);
    expect((await admin.get<OrdersSummary>('/orders/summary')).json.flagged).toBe(1);
    expect((await ada.get<OrdersSummary>('/orders/summary')).json.flagged).toBe(0);
    const cleared = await admin.send<Updated>('POST', `/order/${_id}/flags-cleared`);
    expect([cleared.status, cleared.json]).toMatchObject([200, { flags: [], modifiedCount: 1 }]);
    expect((await admin.get('/orders?flagged=true')).headers.get('x-total-count')).toBe('0');
  });
});

describe('lists and totals', () => {
  beforeAll(async () => {
    await deleteOrders();
    await place(ada);
    await database.query(
      `INSERT INTO orders (id, account_id, order_date, customer_name, customer_email, customer_address, customer_country,
         package_name, package_price, price_cents, payment_status, payment_state, provider_state, created_at, updated_at)
       SELECT gen_random_uuid(), account_id, order_date - n, 'P & <' || n || '>', customer_email, 'S', 'N', package_name, '0.10',
         10, CASE WHEN n % 5 = 0 THEN 'Paid' ELSE 'UnPaid' END, 'unpaid', 'unpaid', created_at - n / 5 * interval '1 ms', now()
       FROM orders, generate_series(1, 2499) n`,
    );
    await place(grace);
  });

  test('are complete if a client follows Link, and have each order once', async () => {
    for (const sorting of ['', '&sort=orderDate', '&sort=customerName&direction=asc', '&direction=asc']) {
      const ids: string[] = [];
      let path: string | undefined = `/orders/?limit=600&page=1${sorting}`;
      while (path !== undefined) {
        const { status, json, headers }: Answer<Order[]> = await admin.get(path);
        expect([status, headers.get('x-total-count')]).toEqual([200, '2501']);
        ids.push(...json.map(({ _id }) => _id));
        path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      }
      expect([ids.length, new Set(ids).size]).toEqual([2501, 2501]);
    }
  });

  test('keep filter and search from page to page, within the customer’s own orders', async () => {
    const first = await ada.get<Order[]>('/orders?paymentStatus=Paid&search=P+%26+%3C1&limit=60');
    const next = await ada.get<Order[]>(/^<([^>]+)>/.exec(first.headers.get('link')!)![1]!);
    const all = [...first.json, ...next.json];
    expect([first.headers.get('x-total-count'), all.length]).toEqual(['222', 120]);
    expect(
      all.every((order) => order.paymentStatus === 'Paid' && order.customerName.startsWith('P & <1')),
    ).toBe(true);
    expect((await grace.get<Order[]>('/orders?search=P+%26')).json).toEqual([]);
    expect((await grace.get<Order[]>('/orders')).json).toHaveLength(1);
  });

  test('add up to the cent', async () => {
    const own = (await ada.get<OrdersSummary>('/orders/summary')).json;
    expect(own).toEqual({
      orders: 2500,
      totalSales: '49.90',
      refunded: '0.00',
      byPaymentStatus: { UnPaid: 2001, Paid: 499, Cancelled: 0 },
      byOrderStatus: { Pending: 2500, Delivered: 0 },
      flagged: 0,
    });
    expect((await admin.get<OrdersSummary>('/orders/summary')).json.orders).toBe(2501);
    expect((await admin.get<OrdersSummary>('/orders/summary?own=true')).json.orders).toBe(0);
    expect((await site.visitor.get('/orders/summary')).status).toBe(401);
  });

  test.each([
    ['page=0', 'page'],
    ['limit=1001', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=x', 'cursor'],
    ['cursor=', 'cursor'],
    [`cursor=${'x'.repeat(500)}`, 'cursor'],
    ['search=%00', 'search'],
    ['paymentStatus=paid', 'paymentStatus'],
    ['orderStatus=Shipped', 'orderStatus'],
    ['sort=price', 'sort'],
    ['direction=up', 'direction'],
    ['flagged=1', 'flagged'],
    ['own=yes', 'own'],
  ])('refuse %s', async (query, field) => {
    const answer = await admin.get<Problem>(`/orders?${query}`);
    expect([answer.status, answer.json.errors?.map((error) => error.field)]).toEqual([400, [field]]);
  });
});

test('customers are exported with the totals of their orders, for admins only', async () => {
  await deleteOrders();
  await place(ada, { customerName: '=Ada' });
  await place(ada, { customerName: '=Ada' });
  await eventually(async () => {
    const { text } = await admin.get(`/customers/export?email=${encodeURIComponent(ada.email!)}`);
    const [header, row] = text.split('\r\n');
    expect(header).toContain('"Name","E-mail","Orders","Spent (USD)"');
    expect(row).toContain(`"'=Ada","${ada.email}","2","0.00"`);
  });
  expect((await ada.get('/customers/export')).status).toBe(403);
});

describe('the PayPal address', () => {
  test('is a single record, even if admins create it concurrently, and only admins change it', async () => {
    expect((await ada.get<PaypalEmail[]>('/paypal-email')).json).toEqual([]);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        admin.post<PaypalEmail>('/add-email', { paypalEmail: `shop${i}@example.com` }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(7).fill(409)]);
    const [record] = (await ada.get<PaypalEmail[]>('/paypal-email')).json;
    const path = `/paypal-email/${record!._id}`;
    expect((await ada.get(path)).json).toEqual(record);
    expect((await ada.put(path, { paypalEmail: 'eve@example.com' })).status).toBe(403);
    expect((await site.visitor.get(path)).status).toBe(401);
    const changed = await admin.put(path, { ...record, paypalEmail: 'new@example.com' });
    expect([changed.status, changed.json]).toMatchObject([
      200,
      { paypalEmail: 'new@example.com', modifiedCount: 1 },
    ]);
    expect((await admin.put(path, { paypalEmail: 'new' })).status).toBe(400);
    const headers = { 'If-Match': '"1"' };
    expect((await admin.put(path, { paypalEmail: 'x@example.com' }, { headers })).status).toBe(412);
  });

  test('has a path at which browsers get a shell instead of JSON', async () => {
    const [record] = (await admin.get<PaypalEmail[]>('/paypal-email')).json;
    const shell = await admin.get(`/paypal-email/${record!._id}`, { headers: { Accept: 'text/html' } });
    expect(shell.headers.get('content-type')).toContain('text/html');
    expect(shell.headers.get('vary')).toContain('Accept');
  });
});

test('a former admin sees only their own orders, from the next request on', async () => {
  const { session: second, adminUserId } = await site.secondAdmin('second@example.com');
  const { _id } = await place(ada);
  expect((await second.get(`/order/${_id}`)).status).toBe(200);
  expect((await admin.delete<AdminUser>(`/users/${adminUserId}`)).status).toBe(200);
  expect((await second.get(`/order/${_id}`)).status).toBe(404);
  expect((await second.get<Order[]>('/orders')).json).toEqual([]);
  expect((await second.put(`/order/${_id}`, { paymentStatus: 'Paid' })).status).toBe(403);
});

test('orders can be placed while the content service is stopped, and their prices are still checked', async () => {
  await site.content[0]!.stop();
  expect((await place(ada, { packageName: 'Premium', packagePrice: '990.00' })).packageName).toBe('Premium');
  const refused = await ada.post<Problem>('/new-order', { ...bodyOf(ada), packagePrice: '1.00' });
  expect([refused.status, refused.json.current]).toMatchObject([409, { packagePrice: '290.00' }]);
});
