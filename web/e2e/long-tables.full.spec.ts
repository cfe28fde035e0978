import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { Session, TestBrowser } from '#libs/testing';
import { Launch, temporaryDataDir } from '../../dev/test/launcher.js';
import { visit, waitUntilSettled } from './visit.js';

const rowCount = 10_000;
/** The limit of a collection. */
const questionCount = 500;

const dataDir = temporaryDataDir();
const credentials = { email: 'admin@example.com', password: 'correct horse battery' };
const site = new Launch(dataDir.path, {
  SEED: 'none',
  ADMIN_EMAIL: credentials.email,
  ADMIN_PASSWORD: credentials.password,
});
let browser: TestBrowser;
let page: Page;
let api: Session;

/** SQL statements by service. They insert rows as the service would store them, one for each number `n`. */
const inserts: Record<'orders' | 'messaging' | 'identity', string[]> = {
  orders: [
    `INSERT INTO orders (id, account_id, order_date, customer_name, customer_email, customer_address,
       customer_country, package_name, package_price, price_cents, order_status, provider_state,
       payment_status, payment_state, created_at, updated_at)
     SELECT gen_random_uuid(), gen_random_uuid(), now()::date, 'Person ' || n, n || '@example.com', 'Street',
       'Norway', 'Basic', '290.00', 29000, 'Pending', 'unpaid', 'UnPaid', 'unpaid', now() - n * interval '1 s', now()
     FROM generate_series(1, ${rowCount}) n`,
  ],
  messaging: [
    `INSERT INTO subscribers (id, email, email_normalized, version, created_at, updated_at)
     SELECT gen_random_uuid(), 'person-' || n || '@example.com', 'person-' || n || '@example.com', 1,
       now() - n * interval '1 s', now() FROM generate_series(1, ${rowCount}) n`,
    `INSERT INTO messages
       (id, full_name, email_address, subject, message, message_status, version, created_at, updated_at)
     SELECT gen_random_uuid(), 'Person ' || n, n || '@example.com', 'Question ' || n, 'How much?', 'UnRead', 1,
       now() - n * interval '1 s', now() FROM generate_series(1, ${rowCount}) n`,
    `INSERT INTO mails (id, template, params, params_blanked, to_address, message_id, state, priority, attempts,
       next_attempt_at, subject, created_at, finished_at)
     SELECT gen_random_uuid(), 'orderPaid', '{}', true, 'person-' || n || '@example.com', 'm' || n || '@example.com',
       'sent', 1, 1, now(), 'Order ' || n, now() - n * interval '1 s', now() FROM generate_series(1, ${rowCount}) n`,
    `INSERT INTO audit_entries (id, at, actor_id, actor_email, section, record_id, name, change, before, after)
     SELECT ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now() - interval '1 day', 'a', 'a@example.com',
       'message', gen_random_uuid()::text, 'Question ' || n, 'updated', '{"messageStatus":"UnRead"}',
       '{"messageStatus":"Read"}' FROM generate_series(1, ${rowCount}) n`,
  ],
  identity: [
    `INSERT INTO admin_users (id, user_email, email_normalized, version, created_at, updated_at)
     SELECT gen_random_uuid(), 'person-' || n || '@example.com', 'person-' || n || '@example.com', 1, now(), now()
     FROM generate_series(1, ${rowCount}) n`,
  ],
};

beforeAll(async () => {
  const [url, opened] = await Promise.all([site.ready(), TestBrowser.open()]);
  browser = opened;
  for (const [service, statements] of Object.entries(inserts)) {
    const database = new pg.Client({ connectionString: site.stack.databases[service as 'orders'] });
    await database.connect();
    for (const statement of statements) await database.query(statement);
    await database.end();
  }
  api = await Session.signIn(url, credentials);
  // The API’s fields, which misspell ‘accordion’.
  for (let n = 1; n <= questionCount; n += 1)
    await api.post('/add-faq-item', { accodingTitle: `Question ${n}`, accodingText: 'An answer' });
  page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce', width: 1440, height: 900 });
  const headers = { origin: url };
  expect((await page.request.post('/auth/login', { data: credentials, headers })).ok()).toBe(true);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await site.stop();
  dataDir.remove();
});

interface LongTable {
  path: string;
  label: string;
  pages?: number;
  /** The path of a call that returns the number of rows. If the site itself adds rows, this and `pageSize` are given instead of `pages`. */
  countPath?: string;
  pageSize?: number;
  /** What to search for. */
  search: string;
  /** A text in the row that is found. */
  row: string;
  /** A column whose heading sorts. The first click sorts orders in descending order, and the other lists in ascending order. */
  sortColumn?: string;
  /** A text in a row of the first page once `sortColumn` sorts the list. */
  onFirstPage?: string;
  exportPath?: string;
}

const tables: LongTable[] = [
  {
    path: '/total-orders',
    label: 'orders',
    pages: rowCount / 5,
    search: 'Person 4242',
    row: 'Person 4242',
    sortColumn: 'Customer Name',
    onFirstPage: 'Person 9999',
    exportPath: '/orders/export',
  },
  {
    path: '/all-subscriber',
    label: 'subscribers',
    pages: rowCount / 5,
    search: 'person-4242@',
    row: 'person-4242@example.com',
    sortColumn: 'E-mail',
    onFirstPage: 'person-1000@example.com',
    exportPath: '/subscribers/export',
  },
  {
    path: '/all-messages',
    label: 'Unread messages',
    pages: rowCount / 5,
    search: 'Question 4242',
    row: 'Question 4242',
    sortColumn: 'Name',
    onFirstPage: 'Question 1000',
    exportPath: '/messages/export',
  },
  {
    path: '/sent-mail',
    label: 'e-mails',
    pageSize: 10,
    countPath: '/mails?limit=1',
    search: 'person-4242@',
    row: 'person-4242@example.com',
    exportPath: '/mails/export',
  },
  {
    path: '/edit-faq',
    label: 'questions',
    pages: questionCount / 25,
    search: 'Question 424',
    row: 'Question 424',
  },
];

const rowWith = (text: string) => page.locator('tbody tr, .record').filter({ hasText: text }).first();

test.each(tables.map((table) => [table.path, table] as const))(
  'the long table at %s is paged and searched, and sorted and exported where it offers that',
  async (path, { label, pages, countPath, pageSize, search, row, sortColumn, onFirstPage, exportPath }) => {
    await visit(page, path);
    const pager = page.getByRole('navigation', { name: `Pages of ${label}` });
    const total = countPath ? Number((await api.get(countPath)).headers.get('x-total-count')) : 0;
    const lastPage = String(pages ?? Math.ceil(total / pageSize!));
    await pager.getByText(`Page 1 of ${lastPage}`).waitFor();
    await pager.getByRole('button', { name: `Page ${lastPage}`, exact: true }).click();
    await pager.getByText(`Page ${lastPage} of ${lastPage}`).waitFor();
    await waitUntilSettled(page);
    expect(await pager.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    if (sortColumn && onFirstPage) {
      await page.getByRole('columnheader', { name: sortColumn }).first().getByRole('button').click();
      await pager.getByText(`Page 1 of ${lastPage}`).waitFor();
      await rowWith(onFirstPage).waitFor();
    }
    await page.getByRole('searchbox', { name: 'Search' }).fill(search);
    await page.waitForURL(/search=/);
    await rowWith(row).waitFor();
    // Fewer rows than on a full page of any of the lists: only the found ones are left.
    await page.waitForFunction(() => document.querySelectorAll('main tbody tr, .record').length < 5);
    if (exportPath) {
      const { text } = await api.get(exportPath);
      const exportedRowCount = text.trimEnd().split('\r\n').length - 1;
      // The site may have added rows meanwhile.
      if (countPath) expect(exportedRowCount).toBeGreaterThanOrEqual(total);
      else expect(exportedRowCount).toBe(rowCount);
    }
  },
  120_000,
);

test('the audit log is paged and searched', async () => {
  await visit(page, '/audit-log');
  await page.getByRole('button', { name: 'Older' }).click();
  await page.waitForURL(/cursor=/);
  await waitUntilSettled(page);
  expect(await page.locator('tbody tr').count()).toBe(25);
  await page.getByRole('searchbox', { name: 'Search' }).fill('Question 4242');
  await page.waitForURL(/search=/);
  await rowWith('Question 4242').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  const { text } = await api.get('/audit/export?actor=a@example.com');
  expect(text.trimEnd().split('\r\n')).toHaveLength(rowCount + 1);
}, 120_000);

test('ten thousand admin users are listed in pages of 25, and searched', async () => {
  await visit(page, '/add-user');
  await page.getByText(`Page 1 of ${Math.ceil((rowCount + 1) / 25)}`).waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('person-4242@');
  await page.waitForURL(/search=/);
  await rowWith('person-4242@example.com').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.record').length === 1);
}, 120_000);
