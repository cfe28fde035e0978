import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { AccountSession, BillingDetails, Invoice, MailRequest, Order } from '#libs/contracts';
import { type Answer, eventually, Session } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import { adminCredentials, publicUrl, startSite, type SiteUnderTest } from './site.harness.js';

const password = 'correct horse battery';

let site: SiteUnderTest;
let identity: pg.Client;
let messaging: pg.Client;
let orders: pg.Client;
let registeredCount = 0;

beforeAll(async () => {
  site = await startSite({ gateways: 2, seed: 'demo' });
  const databases = (['identity', 'messaging', 'orders'] as const).map(
    (service) => new pg.Client({ connectionString: site.databaseUrls[service] }),
  );
  await Promise.all(databases.map((database) => database.connect()));
  [identity, messaging, orders] = databases as [pg.Client, pg.Client, pg.Client];
});
afterAll(async () => {
  await Promise.all([identity, messaging, orders].map((database) => database?.end()));
  await site?.stop();
});

/** Keeps the cookies of each answer and sends them with the next request. */
class Browser {
  readonly cookies = new Map<string, string>();

  constructor(private readonly userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0') {}

  async send<T>(method: string, path: string, body?: unknown, url = site.url): Promise<Answer<T>> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await Session.visitor(url).send<T>(method, path, {
      body,
      headers: { Origin: publicUrl, Cookie: cookie, 'User-Agent': this.userAgent },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  signIn(email: string, secret = password): Promise<Answer<{ accessToken: string }>> {
    return this.send('POST', '/auth/login', { email, password: secret });
  }
}

async function register(
  email = `own${(registeredCount += 1)}@example.com`,
): Promise<{ browser: Browser; email: string }> {
  const browser = new Browser();
  const answer = await browser.send('POST', '/auth/register', { email, password });
  expect(answer.status).toBe(201);
  return { browser, email };
}

async function mailsTo(address: string): Promise<Pick<MailRequest, 'template' | 'params'>[]> {
  const { rows } = await identity.query<{ payload: MailRequest }>(
    `SELECT payload FROM outbox_messages WHERE event = 'mail.requested' AND payload->>'to' = $1 ORDER BY id`,
    [address],
  );
  return rows.map(({ payload }) => payload);
}

/** Waits for a mail of this template, and returns the token of the link in the newest one. */
function tokenTo(address: string, template: MailRequest['template']): Promise<string> {
  return eventually(async () => {
    const mail = (await mailsTo(address)).filter((one) => one.template === template).at(-1);
    return new URL((mail!.params as { link: string }).link).hash.replace('#token=', '');
  });
}

async function registerVerified(): Promise<{ browser: Browser; email: string }> {
  const person = await register();
  const token = await tokenTo(person.email, 'verifyEmail');
  expect((await site.visitor.post('/auth/verify-email', { token })).status).toBe(200);
  return person;
}

describe('links in mails', () => {
  test('verify an address with a POST, which affects the session’s next request', async () => {
    const { browser, email } = await register();
    const token = await tokenTo(email, 'verifyEmail');
    // A link scanner's request changes nothing.
    expect((await site.visitor.get('/auth/verify-email')).status).toBe(405);
    const before = await browser.send<{ account: { emailVerified: boolean } }>('GET', '/auth/me');
    expect(before.json.account.emailVerified).toBe(false);
    const answer = await site.visitor.post('/auth/verify-email', { token });
    expect([answer.status, answer.json]).toEqual([200, { acknowledged: true, email }]);
    const after = await browser.send<{ account: { emailVerified: boolean } }>('GET', '/auth/me');
    expect(after.json.account.emailVerified).toBe(true);
  });

  test.each([
    ['/auth/verify-email', {}],
    ['/auth/reset-password', { password }],
  ])('%s refuses a made-up token, and names the field', async (path, more) => {
    const answer = await site.visitor.post<Problem>(path, { token: 'made-up', ...more });
    expect([answer.status, answer.json]).toMatchObject([
      400,
      { code: 'LINK_EXPIRED', errors: [{ field: 'token' }] },
    ]);
  });

  test('requesting a new password gives the same answer for every address', async () => {
    const { email } = await registerVerified();
    const answers = await Promise.all(
      [email, 'nobody-at-all@example.com'].map((address) =>
        site.visitor.post('/auth/forgot-password', { email: address }),
      ),
    );
    const seen = answers.map(({ status, text, headers }) => {
      const names = [...headers.keys()].filter((name) => name !== 'date' && name !== 'x-request-id').sort();
      return { status, text, names };
    });
    expect(seen[0]).toMatchObject({ status: 202, text: '{"acknowledged":true}' });
    expect(seen[1]).toEqual(seen[0]);
  });

  test('a new password ends every session, on every gateway', async () => {
    const { browser, email } = await registerVerified();
    const otherBrowser = new Browser();
    await otherBrowser.signIn(email);
    const statuses = (url: string) =>
      Promise.all(
        [browser, otherBrowser].map(
          async (one) => (await one.send('GET', '/auth/me', undefined, url)).status,
        ),
      );
    for (const { url } of site.gateways) expect(await statuses(url)).toEqual([200, 200]);
    await site.visitor.post('/auth/forgot-password', { email });
    const token = await tokenTo(email, 'resetPassword');
    const secret = 'another horse battery';
    expect((await site.visitor.post('/auth/reset-password', { token, password: secret })).status).toBe(200);
    for (const { url } of site.gateways)
      await eventually(async () => expect(await statuses(url)).toEqual([401, 401]));
    expect((await new Browser().signIn(email)).status).toBe(401);
    expect((await new Browser().signIn(email, secret)).status).toBe(200);
  });
});

describe('sessions', () => {
  const list = async (browser: Browser) =>
    (await browser.send<AccountSession[]>('GET', '/auth/sessions')).json;

  test('are listed with the current one marked, and ending one of them takes effect on every gateway', async () => {
    const { browser: here, email } = await register();
    const there = new Browser('<b>Chrome/1</b> (iPhone)\u00a0');
    await there.signIn(email);
    const sessions = await list(here);
    expect(sessions.map(({ device, current }) => [device, current])).toEqual(
      expect.arrayContaining([
        ['Firefox on Linux', true],
        ['Chrome on an iPhone', false],
      ]),
    );
    const otherSession = sessions.find(({ current }) => !current)!;
    for (const { url } of site.gateways) {
      expect((await there.send('GET', '/auth/me', undefined, url)).status).toBe(200);
    }
    expect((await here.send('DELETE', `/auth/sessions/${otherSession.id}`)).status).toBe(200);
    for (const { url } of site.gateways) {
      await eventually(async () =>
        expect((await there.send('GET', '/auth/me', undefined, url)).status).toBe(401),
      );
    }
    expect((await list(here)).map(({ current }) => current)).toEqual([true]);
    expect(here.cookies.has('access_token')).toBe(true);
  });

  test('of another person are not found', async () => {
    const person = await register();
    const otherPerson = await register();
    const [session] = await list(otherPerson.browser);
    const answer = await person.browser.send<Problem>('DELETE', `/auth/sessions/${session!.id}`);
    expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND']);
    expect(await list(otherPerson.browser)).toHaveLength(1);
  });

  test('all end together, including the current one, and all cookies except `device` are cleared', async () => {
    const { browser: here, email } = await register();
    const there = new Browser();
    await there.signIn(email);
    const answer = await here.send('DELETE', '/auth/sessions');
    expect([answer.status, answer.json]).toEqual([200, { acknowledged: true, ended: 2 }]);
    expect([...here.cookies.keys()]).toEqual(['device']);
    expect((await there.send('GET', '/auth/me')).status).toBe(401);
    expect((await there.send('POST', '/auth/refresh')).status).toBe(401);
    expect((await site.visitor.delete('/auth/sessions')).status).toBe(401);
  });

  test('end when the cookie that renews them is gone: the browser then no longer tries to', async () => {
    const { browser } = await register();
    expect(browser.cookies.delete('refresh_token')).toBe(true);
    expect((await browser.send('POST', '/auth/refresh')).status).toBe(401);
    expect([...browser.cookies.keys()]).toEqual(['device']);
  });

  test('stay signed in when two tabs refresh at the same time over two gateways', async () => {
    const { browser: first } = await register();
    const [firstUrl, secondUrl] = site.gateways.map(({ url }) => url) as [string, string];
    for (let round = 0; round < 3; round += 1) {
      const second = new Browser();
      for (const [name, value] of first.cookies) second.cookies.set(name, value);
      const answers = await Promise.all([
        first.send('POST', '/auth/refresh', undefined, firstUrl),
        second.send('POST', '/auth/refresh', undefined, secondUrl),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect((await first.send('GET', '/auth/me', undefined, secondUrl)).status).toBe(200);
      expect((await second.send('GET', '/auth/me', undefined, firstUrl)).status).toBe(200);
      // In a browser, the answer that comes last sets the cookies of both tabs. Here, the first tab’s and the second’s answer come last in turn.
      if (round % 2) for (const [name, value] of second.cookies) first.cookies.set(name, value);
    }
  });

  test('cannot be fixated: signing in creates a new session with new tokens', async () => {
    const attacker = await register();
    const victim = await register();
    const victimBrowser = new Browser();
    for (const [name, value] of attacker.browser.cookies) victimBrowser.cookies.set(name, value);
    expect((await victimBrowser.signIn(victim.email)).status).toBe(200);
    for (const name of ['access_token', 'refresh_token']) {
      expect(victimBrowser.cookies.get(name)).not.toBe(attacker.browser.cookies.get(name));
    }
    const [attackersSession] = await list(attacker.browser);
    const [victimsSession] = (await list(victimBrowser)).filter(({ current }) => current);
    expect(victimsSession!.id).not.toBe(attackersSession!.id);
    const me = await attacker.browser.send<{ account: { email: string } }>('GET', '/auth/me');
    expect(me.json.account.email).toBe(attacker.email);
    // An invented device id is replaced.
    const forger = new Browser();
    forger.cookies.set('device', '"><script>');
    await forger.signIn(victim.email);
    expect(forger.cookies.get('device')).toMatch(/^[\w-]{22}$/);
  });
});

test('a sign-in from a new browser is mailed to the owner once; one from a known browser is not', async () => {
  const { browser, email } = await registerVerified();
  const newSignInMails = async () =>
    (await mailsTo(email)).filter(({ template }) => template === 'newSignIn');
  await browser.signIn(email);
  expect(await newSignInMails()).toEqual([]);
  const newBrowser = new Browser('Mozilla/5.0 (Windows NT 10.0) Chrome/142.0.0.0 Safari/537.36');
  await newBrowser.signIn(email);
  await newBrowser.send('POST', '/auth/logout');
  await newBrowser.signIn(email);
  expect((await newSignInMails()).map(({ params }) => params)).toEqual([
    { device: 'Chrome on Windows', when: expect.any(String), place: expect.any(String) },
  ]);
});

describe('personal data', () => {
  async function order(browser: Browser, email: string): Promise<Order> {
    const { json } = await browser.send<Order>('POST', '/new-order', {
      packageName: 'Basic',
      packagePrice: '290.00',
      customerEmail: email,
      customerName: 'Ada Lovelace',
      customerAddress: '12 St James’s Square',
      customerCountry: 'United Kingdom',
    });
    return json;
  }
  const sendMessage = (address: string, subject: string) =>
    site.visitor.post('/add-message', {
      fullName: 'Ada Lovelace',
      emailAddress: address,
      subject,
      message: 'How much?',
      messageStatus: 'UnRead',
    });
  interface OwnData {
    account: { email: string };
    sessions: unknown[];
    orders: Order[];
    invoices: Invoice[];
    billingDetails: BillingDetails;
    messages: { subject: string }[];
    subscription: unknown;
    mails: { template: string; to: string }[];
  }

  /** All secrets begin with `sealed`, which must not occur in the downloaded data. */
  async function addSignInMethods(email: string): Promise<void> {
    const ways: [tableAndColumns: string, values: string][] = [
      [
        'linked_identities (account_id, id, issuer, subject, created_at, last_used_at)',
        `gen_random_uuid(), 'https://accounts.example.com', 'subject-7', now(), now()`,
      ],
      [
        'totp_factors (account_id, secret, created_at, confirmed_at, last_step)',
        `'sealed-totp', now(), now(), 0`,
      ],
      ['recovery_codes (account_id, code_hash, salt)', `'sealed-code', 'sealed-salt'`],
      [
        'passkeys (account_id, id, credential_id, public_key, counter, transports, synced, name, created_at)',
        `gen_random_uuid(), 'sealed-' || email, 'sealed-key', 0, '{}', false, 'My laptop', now()`,
      ],
    ];
    for (const [tableAndColumns, values] of ways) {
      await identity.query(
        `INSERT INTO ${tableAndColumns} SELECT id, ${values} FROM accounts WHERE email = $1`,
        [email],
      );
    }
  }

  test('can be downloaded completely, without data of other people', async () => {
    const { browser, email } = await registerVerified();
    const otherPerson = await registerVerified();
    await order(otherPerson.browser, otherPerson.email);
    const { _id } = await order(browser, email);
    const note = { text: 'A note of the staff' };
    expect((await (await site.admin()).post(`/order/${_id}/note`, note)).status).toBe(201);
    await sendMessage(email.toUpperCase(), 'mine');
    await sendMessage(otherPerson.email, 'theirs');
    await site.visitor.post('/add-subscriber', { email });
    await addSignInMethods(email);
    const answer = await eventually(async () => {
      const copy = await browser.send<OwnData>('GET', '/auth/my-data');
      const templates = copy.json.mails.map(({ template }) => template).sort();
      expect(templates).toEqual(['confirmSubscription', 'messageAcknowledged', 'orderPlaced', 'verifyEmail']);
      return copy;
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.json).toMatchObject({
      account: { email },
      signInMethods: { password: true },
      linkedIdentities: [{ issuer: 'https://accounts.example.com', subject: 'subject-7' }],
      secondFactors: {
        totp: { since: expect.any(String) },
        passkeys: [{ name: 'My laptop', lastUsedAt: null, synced: false }],
        recoveryCodesLeft: 1,
      },
      sessions: [{ current: true }],
      orders: [{ _id, customerName: 'Ada Lovelace' }],
      messages: [{ subject: 'mine' }],
      subscription: { email, status: 'pending', consent: { source: 'form' }, confirmedAt: null },
    });
    expect(answer.text).not.toContain(otherPerson.email);
    expect(answer.text).not.toContain(note.text);
    expect(answer.text).not.toMatch(/argon2|"(?:password|token)Hash|refresh|sealed|token=/);
  });

  test('includes the customer’s billing details and all invoices, also beyond one page of the list', async () => {
    const { browser, email } = await registerVerified();
    const { _id, number } = await order(browser, email);
    const details = {
      ...{ company: 'Engines Ltd', addressLine1: '', addressLine2: '', postalCode: '', city: 'Cork' },
      ...{ countryCode: 'IE', vatId: '' },
    };
    expect((await browser.send('PUT', '/billing-details', details)).status).toBe(200);
    const admin = await site.admin();
    const settings = {
      name: 'Northwind Ltd',
      addressLine1: '5 Quay Street',
      city: 'Dublin',
      countryCode: 'IE',
    };
    expect((await admin.put('/invoice-settings', settings)).status).toBe(200);
    await admin.put(`/order/${_id}`, { paymentStatus: 'Paid' });
    await eventually(async () => {
      const { json } = await browser.send<OwnData>('GET', '/auth/my-data');
      expect(json.billingDetails).toEqual(details);
      expect(json.invoices).toMatchObject([{ orderId: _id, orderNumber: number, buyerName: 'Ada Lovelace' }]);
    });
    await orders.query(
      `INSERT INTO invoices (id, series, year, sequence, issued_on, issued_at, order_id, account_id, document)
       SELECT gen_random_uuid(), series, year, 100000 + n, issued_on, issued_at, order_id, account_id,
         document || jsonb_build_object('number', 'COPY-' || n)
       FROM invoices, generate_series(1, 1000) n WHERE order_id = $1`,
      [_id],
    );
    const { json: complete } = await browser.send<OwnData>('GET', '/auth/my-data');
    expect(complete.invoices).toHaveLength(1001);
    await orders.query('DELETE FROM invoice_settings');
  });

  test('an admin’s copy has no orders of customers', async () => {
    const admin = await site.admin();
    const { json } = await admin.get<OwnData>('/auth/my-data');
    expect(json.account.email).toBe(adminCredentials.email);
    expect(json.orders).toEqual([]);
  });

  test('of an unverified address is not handed out', async () => {
    const { browser, email } = await register();
    await sendMessage(email, 'of the real owner');
    const { json } = await browser.send<OwnData>('GET', '/auth/my-data');
    expect([json.messages, json.subscription, json.mails]).toEqual([[], null, []]);
  });

  test('is deleted with the account: orders keep amounts and dates, messages and newsletter subscription are gone', async () => {
    const { browser, email } = await registerVerified();
    const placed = await order(browser, email);
    await browser.send('PUT', `/order-cancelled/${placed._id}`, { paymentStatus: 'Cancelled' });
    const admin = await site.admin();
    const reason = `${email} pays in cash`;
    await admin.put(`/order/${placed._id}`, { paymentStatus: 'Paid', reason });
    await admin.post(`/order/${placed._id}/note`, { text: `${email} called` });
    const profile = `/customer/${placed.accountId}`;
    await eventually(async () => expect((await admin.get(profile)).status).toBe(200));
    expect((await admin.post(`${profile}/note`, { text: `${email} pays late` })).status).toBe(201);
    await sendMessage(email, 'to be forgotten');
    await site.visitor.post('/add-subscriber', { email });
    const others = [`x${email}, y`, `${email}.au, y`];
    const rows = [email, `Ada <${email.toUpperCase()}>`, `${email}, ${email}.`, ...others];
    await admin.send('POST', '/subscribers/import?name=fair.csv&consent=At+the+fair', {
      body: ['E-mail', ...rows.map((row) => `"${row}"`)].join('\r\n'),
      headers: { 'Content-Type': 'text/csv' },
    });
    const refusedRows = async () =>
      (await messaging.query<{ text: string }>(`SELECT text FROM subscriber_import_refusals ORDER BY line`))
        .rows;
    await eventually(async () => expect((await refusedRows()).map(({ text }) => text)).toEqual(rows));
    const refused = await browser.send<Problem>('POST', '/auth/delete-account', { currentPassword: 'wrong' });
    expect([refused.status, refused.json.errors]).toEqual([
      400,
      [{ field: 'currentPassword', message: 'Incorrect password' }],
    ]);
    const answer = await browser.send('POST', '/auth/delete-account', { currentPassword: password });
    expect(answer.status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual(['device']);
    const blanked = await eventually(async () => {
      const { json } = await admin.get<Order>(`/order/${placed._id}`);
      expect(json.customerName).toBe('');
      return json;
    });
    expect(blanked).toMatchObject({
      customerEmail: '',
      customerAddress: '',
      customerCountry: '',
      packagePrice: '290.00',
      orderDate: placed.orderDate,
    });
    const timeline = await admin.get<{ kind: string; by: string | null }[]>(`/order/${placed._id}/timeline`);
    expect(timeline.text).not.toContain(email);
    expect(timeline.json.map(({ kind, by }) => [kind, by])).toEqual([
      ['placed', 'a deleted account'],
      ['cancelled', 'a deleted account'],
      ['payment_status_set', adminCredentials.email],
      ['details_blanked', null],
    ]);
    expect((await admin.get(`/order/${placed._id}/notes`)).json).toEqual([]);
    for (const path of [profile, `${profile}/account`, `${profile}/notes`])
      expect((await admin.get(path)).status).toBe(404);
    const notes = await orders.query('SELECT 1 FROM staff_notes WHERE account_id = $1', [placed.accountId]);
    expect(notes.rowCount).toBe(0);
    await eventually(async () => {
      const found = await admin.get<unknown[]>(`/messages?search=${encodeURIComponent(email)}`);
      const subscribed = await admin.get<unknown[]>(`/subscribers?search=${encodeURIComponent(email)}`);
      expect([found.json, subscribed.json]).toEqual([[], []]);
    });
    // Pending mails are still sent, and deleted a day later. The queued mail that asks to confirm a newsletter subscription is deleted instead.
    await eventually(async () => {
      const { rows } = await messaging.query<{ template: string; forget: boolean }>(
        `SELECT template, forget FROM mails WHERE to_address = $1`,
        [email],
      );
      expect(rows).toContainEqual({ template: 'accountDeleted', forget: true });
      expect(rows.filter(({ forget }) => !forget)).toEqual([]);
    });
    expect(await refusedRows()).toEqual(others.map((text) => ({ text })));
  });

  test('of an admin is deleted, too: timelines and notes then name `a former admin`', async () => {
    const email = 'leaving-admin@example.com';
    const { session } = await site.secondAdmin(email);
    const customer = await registerVerified();
    const placed = await order(customer.browser, customer.email);
    await session.post(`/order/${placed._id}/note`, { text: 'Called.' });
    for (const orderStatus of ['Delivered', 'Pending', 'Delivered']) {
      await session.put(`/order-status/${placed._id}`, { orderStatus });
    }
    // One entry has a former address of the account, and one is from the time before entries stored the account.
    const change = (set: string, at: number) =>
      orders.query(
        `UPDATE order_timeline SET ${set} WHERE id =
           (SELECT id FROM order_timeline WHERE order_id = $1 ORDER BY id LIMIT 1 OFFSET $2)`,
        [placed._id, at],
      );
    await change(`by = 'earlier-address@example.com'`, 1);
    await change('by_account = NULL', 2);
    expect((await session.post('/auth/delete-account', { currentPassword: password })).status).toBe(200);
    const admin = await site.admin();
    await eventually(async () => {
      const { json } = await admin.get<{ by: string | null }[]>(`/order/${placed._id}/timeline`);
      const formerAdmin = 'a former admin';
      expect(json.map(({ by }) => by)).toEqual([customer.email, formerAdmin, formerAdmin, formerAdmin]);
      const notes = await admin.get<{ author: string }[]>(`/order/${placed._id}/notes`);
      expect(notes.json.map(({ author }) => author)).toEqual([formerAdmin]);
    });
  });

  test('deleting an unverified account deletes nothing of the address’s real owner', async () => {
    const { browser, email } = await register();
    await sendMessage(email, 'of the real owner');
    // Deleted second: by the time this account's message is gone, messaging has had time to handle the first deletion, too.
    const next = await registerVerified();
    await sendMessage(next.email, 'of the next one');
    for (const leaving of [browser, next.browser]) {
      const answer = await leaving.send('POST', '/auth/delete-account', { currentPassword: password });
      expect(answer.status).toBe(200);
    }
    const admin = await site.admin();
    const messagesOf = async (address: string) =>
      (await admin.get<unknown[]>(`/messages?search=${encodeURIComponent(address)}`)).json;
    await eventually(async () => expect(await messagesOf(next.email)).toEqual([]));
    expect(await messagesOf(email)).toHaveLength(1);
  });
});

describe('an admin', () => {
  /** The record does not exist, so a permitted call gets 404. */
  const removalPath = '/users/019a0000-0000-7000-8000-00000000dead';
  const expectCode = (session: Session, code: string) =>
    eventually(async () => {
      const { status, json } = await session.delete<Problem>(removalPath);
      expect([status, json.code]).toEqual([code === 'NOT_FOUND' ? 404 : 403, code]);
    });

  test('must have signed in recently to change the list of admins', async () => {
    const email = 'signed-in-long-ago@example.com';
    const { session } = await site.secondAdmin(email);
    await expectCode(session, 'NOT_FOUND');
    await identity.query(
      `UPDATE sessions SET authenticated_at = now() - interval '1 day'
       WHERE account_id = (SELECT id FROM accounts WHERE email = $1)`,
      [email],
    );
    await expectCode(session, 'FRESH_SIGN_IN_REQUIRED');
    // Calls that do not require a fresh sign-in continue to work.
    expect((await session.get('/subscribers')).status).toBe(200);
    expect((await session.post('/auth/confirm', { password: 'not the password' })).status).toBe(400);
    await expectCode(session, 'FRESH_SIGN_IN_REQUIRED');
    expect((await session.post('/auth/confirm', { password })).status).toBe(200);
    await expectCode(session, 'NOT_FOUND');
  });

  test('without a required second factor is told what is missing', async () => {
    const { session } = await site.secondAdmin('one-factor@example.com');
    await identity.query(`UPDATE admin_requirements SET second_factor = true`);
    try {
      await expectCode(session, 'SECOND_FACTOR_MISSING');
      // Calls that are not only for admins stay open, so that admins can set up a factor.
      expect((await session.get('/orders?own=true')).status).toBe(200);
    } finally {
      await identity.query(`UPDATE admin_requirements SET second_factor = false`);
    }
    await expectCode(session, 'NOT_FOUND');
  });
});
