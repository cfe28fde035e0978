import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, type Session, TestBrowser, testStack, fullTest, sampleEvery } from '#libs/testing';
import { contentScreens } from '../src/features/admin/content-screens.js';
import { tabTo } from './keyboard.js';
import { findFaults, findSidewaysScroll } from './faults.js';
import { newPerson, openPageAs, openPageAsAdmin } from './person.js';
import { visit, waitUntilSettled } from './visit.js';

const { url, admin } = testStack();

let browser: TestBrowser;
let page: Page;
let api: Session;
const problems: string[] = [];

beforeAll(async () => {
  browser = await TestBrowser.open();
  ({ page, api } = await openPageAsAdmin(browser, { width: 1280, height: 900 }));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
});
afterAll(async () => {
  await browser.close();
});

async function addressFor(path: string): Promise<string> {
  if (path === '/view/:id') return `/view/${(await messages('UnRead'))[0]!._id}`;
  for (const { parts } of contentScreens) {
    const part = parts.find(({ editPath }) => editPath === path);
    if (!part) continue;
    const [record] = (await api.get<{ _id: string }[]>(part.section.routes.list)).json;
    return path.replace(':id', record!._id);
  }
  return path;
}

const messages = async (status: string) =>
  (await api.get<{ _id: string; subject: string }[]>(`/messages?messageStatus=${status}`)).json;

async function addMessage(subject: string): Promise<void> {
  const body = {
    fullName: 'Ada Lovelace',
    emailAddress: 'ada@example.com',
    subject,
    message: 'How much?\n<b>Really?</b>',
    messageStatus: 'UnRead',
  };
  expect((await api.post('/add-message', body)).status).toBe(201);
}

const waitForFocusOnUndo = (on: Page) =>
  on.waitForFunction(
    () => document.activeElement?.closest('.undo-offers') && document.activeElement.textContent === 'Undo',
  );

describe('subscribers', () => {
  /** Part of the addresses of this spec's subscribers: other specs add subscribers to the same site. */
  const mark = `paged-${process.pid}`;
  const subscriber = (number: number) => `${mark}-${number}@example.com`;

  test('are five to a page, newest first, with the page in the address', async () => {
    for (let number = 1; number <= 6; number += 1)
      expect((await api.post('/add-subscriber', { email: subscriber(number) })).status).toBe(201);
    await page.goto(`/all-subscriber?search=${mark}`);
    await page.getByText(subscriber(6)).first().waitFor();
    const pager = page.getByRole('navigation', { name: 'Pages of subscribers' });
    const previous = pager.getByRole('button', { name: 'Previous' });
    const next = pager.getByRole('button', { name: 'Next' });
    expect(await page.locator('tbody tr').count()).toBe(5);
    expect(await previous.isDisabled()).toBe(true);
    await next.click();
    await page.getByText(subscriber(1)).first().waitFor();
    expect(new URL(page.url()).search).toBe(`?search=${mark}&page=2`);
    expect(await page.locator('tbody td[data-head="SL"]').first().textContent()).toBe('6');
    await page.goto(`/all-subscriber?search=${mark}&page=2`);
    await pager.getByText('Page 2 of 2').waitFor();
    expect(await next.isDisabled()).toBe(true);
    await page.goto(`/all-subscriber?search=${mark}&page=4000`);
    await pager.getByText('Page 2 of 2').waitFor();
  });

  test('are removed after a confirmation, and can be restored', async () => {
    const email = subscriber(6);
    await page.goto(`/all-subscriber?search=${mark}`);
    await page.getByRole('button', { name: `Remove ${email}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove this subscriber?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Remove ${email}` }).click();
    await dialog.getByRole('button', { name: 'Remove subscriber' }).click();
    await page.locator('td', { hasText: email }).first().waitFor({ state: 'detached' });
    expect((await api.get<unknown[]>(`/subscribers?search=${email}`)).json).toEqual([]);
    await waitForFocusOnUndo(page);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Subscriber is Restored').waitFor();
    await page.locator('td', { hasText: email }).first().waitFor();
  });

  fullTest('are searched while typing, with the search in the address', async () => {
    const email = subscriber(3);
    await page.goto('/all-subscriber');
    await page.getByRole('searchbox', { name: 'Search' }).fill(email.toUpperCase());
    await page.waitForURL('**/all-subscriber?search=*');
    await page.locator('tbody tr', { hasText: email }).waitFor();
    await page.reload();
    await page.locator('tbody tr', { hasText: email }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
  });

  fullTest('can be sorted, paged in other sizes, shown with fewer columns, and downloaded', async () => {
    await page.goto('/all-subscriber');
    await page.getByRole('button', { name: 'E-mail' }).click();
    await page.waitForURL('**/all-subscriber?sort=email&direction=asc');
    const response = page.waitForResponse(/\/subscribers\?.*sort=email.*limit=25/);
    await page.getByLabel('Rows of subscribers on a page').selectOption('25');
    await page.waitForURL('**/all-subscriber?sort=email&direction=asc&size=25');
    await response;
    await page.locator('table[aria-busy="false"] tbody tr').nth(4).waitFor();
    const emails = await page.locator('tbody td[data-head="E-mail"]').allInnerTexts();
    expect(emails).toEqual([...emails].sort());
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Since' }).uncheck();
    await page.reload();
    await page.locator('tbody td[data-head="E-mail"]').first().waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Select',
      'SL',
      'E-mail',
      'Status',
      'Actions',
    ]);
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Since' }).check();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV of subscribers' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^subscribers-.+\.csv$/);
    const text = readFileSync(await file.path(), 'utf8');
    expect(text).toMatch(/^\uFEFF"E-mail","Since","Status",/);
    expect(text).toContain(`"${subscriber(1)}"`);
  });

  fullTest(
    'are three to a page on the dashboard, which links to the screens that the specification lists',
    async () => {
      await page.goto('/admin');
      await page.getByRole('heading', { level: 1, name: 'Welcome to Admin Panel' }).waitFor();
      const table = page.getByRole('table', { name: 'Total Subscribers' });
      await table.locator('tbody time').first().waitFor();
      expect(await table.locator('tbody tr').count()).toBe(3);
      const cards = page.getByRole('list', { name: 'Shortcuts' }).getByRole('link');
      const targets = await cards.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(targets.slice(0, 5)).toEqual([
        '/setting',
        '/total-orders',
        '/all-messages',
        '/all-subscriber',
        '/add-user',
      ]);
      expect(targets[5]).toMatch(/^\/paypal-email\/.+$/);
    },
  );
});

fullTest('a list that cannot be loaded shows an error, and can be loaded again', async () => {
  await page.route('**/subscribers?*', (route) => route.abort(), { times: 1 });
  await page.goto('/all-subscriber');
  await page.getByRole('alert').getByText('can’t reach the site').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('tbody time').first().waitFor();
});

test('an unread message is viewed and marked as read, and moves to the other table', async () => {
  const subject = `To be read ${process.pid}`;
  await addMessage(subject);
  await page.goto('/all-messages');
  await page.getByRole('heading', { level: 1, name: 'Welcome to Admin Panel' }).waitFor();
  const row = (table: string) =>
    page.getByRole('table', { name: table, exact: true }).getByRole('row', { name: subject });
  await row('Unread messages').getByRole('link', { name: 'View Message', exact: true }).click();
  await page.getByText('<b>Really?</b>').waitFor();
  await page.getByRole('button', { name: 'Mark Read' }).click();
  await page.getByRole('status').getByText('Message is Read').waitFor();
  await page.getByRole('button', { name: 'Mark Read' }).waitFor({ state: 'detached' });
  await page.goto('/all-messages');
  await row('Read messages').waitFor();
  expect(await row('Unread messages').count()).toBe(0);
});

test('messages are selected by keyboard, marked as read, deleted and restored in bulk', async () => {
  const mark = `Together ${process.pid}`;
  for (const number of [1, 2, 3, 4]) await addMessage(`${mark} ${number}`);
  await visit(page, `/all-messages?search=${encodeURIComponent(mark)}`);
  const unread = page.getByRole('table', { name: 'Unread messages', exact: true });
  const read = page.getByRole('table', { name: 'Read messages', exact: true });
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  await unread.getByRole('checkbox').nth(3).waitFor();
  await unread.getByRole('checkbox').nth(1).press('Space');
  await unread.getByRole('checkbox').nth(3).press('Shift+Space');
  await panel('Unread messages').getByText('3 selected').waitFor();
  await panel('Unread messages').getByRole('button', { name: 'Mark as read' }).press('Enter');
  await page.getByRole('status').getByText('3 messages marked as read').waitFor();
  await read.getByRole('checkbox').nth(2).waitFor();
  await unread.getByRole('checkbox').nth(1).waitFor({ state: 'detached' });
  await panel('Read messages').getByRole('checkbox', { name: 'Select all on this page' }).press('Space');
  await panel('Read messages').getByRole('button', { name: 'Delete' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete 3 messages?' });
  await dialog.getByRole('button', { name: 'Delete 3 messages' }).press('Enter');
  await panel('Read messages').getByText('No matching messages').waitFor();
  const storedCount = async () =>
    (await api.get<{ subject: string }[]>(`/messages?search=${encodeURIComponent(mark)}`)).json.length;
  expect(await storedCount()).toBe(1);
  await waitForFocusOnUndo(page);
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('3 messages are restored').waitFor();
  await read.getByRole('checkbox').nth(2).waitFor();
  expect(await storedCount()).toBe(4);
  await page.waitForFunction(() => document.activeElement?.id === 'main');
});

fullTest(
  'an undo offer stays while it has the focus or the pointer, and for a while afterwards',
  async () => {
    const subject = `To be kept ${process.pid}`;
    await addMessage(subject);
    const { page: adminPage } = await openPageAsAdmin(browser, { width: 1280, height: 900 });
    await adminPage.clock.install();
    await visit(adminPage, `/all-messages?search=${encodeURIComponent(subject)}`);
    await adminPage.getByRole('link', { name: 'View Message' }).click();
    await adminPage.waitForURL('**/view/*');
    const message = adminPage.getByRole('region', { name: 'Message', exact: true });
    await message.getByRole('button', { name: 'Delete' }).press('Enter');
    await adminPage.getByRole('dialog').getByRole('button', { name: 'Delete message' }).press('Enter');
    // The next screen focuses its content, and then the offer takes the focus.
    await adminPage.waitForURL('**/all-messages');
    await waitForFocusOnUndo(adminPage);
    const undo = adminPage.getByRole('button', { name: 'Undo' });
    await adminPage.clock.fastForward(60_000);
    expect(await undo.isVisible()).toBe(true);
    await undo.hover();
    await adminPage.mouse.move(0, 0);
    await adminPage.clock.fastForward(60_000);
    expect(await undo.isVisible()).toBe(true);
    // On yet another screen, the offer does not take the focus again.
    await adminPage
      .locator('.workspace__nav')
      .getByRole('link', { name: 'Subscribers', exact: true })
      .press('Enter');
    await adminPage.waitForURL('**/all-subscriber');
    await adminPage.getByRole('heading', { name: 'Total Subscribers' }).waitFor();
    await undo.waitFor();
    expect(await undo.evaluate((button) => button === document.activeElement)).toBe(false);
    await undo.hover();
    await adminPage.clock.fastForward(60_000);
    expect(await undo.isVisible()).toBe(true);
    await adminPage.mouse.move(0, 0);
    await adminPage.clock.fastForward(15_000);
    expect(await undo.isVisible()).toBe(true);
    await eventually(async () => {
      await adminPage.clock.fastForward(31_000);
      expect(await undo.count()).toBe(0);
    });
  },
);

test('admin users are added, changed, deleted and restored', async () => {
  const email = `colleague-${process.pid}@example.com`;
  await page.goto('/add-user');
  const form = page.getByRole('form', { name: 'Add admin user' });
  await form.getByLabel('E-mail').fill('nobody');
  await form.getByRole('button', { name: 'Add admin user' }).click();
  await form.getByText('Provide a Valid Email').waitFor();
  await form.getByLabel('E-mail').fill(email);
  await form.getByRole('button', { name: 'Add admin user' }).click();
  await page.getByRole('status').getByText('User Is Added').waitFor();
  await page.getByRole('link', { name: email }).click();
  await page.waitForURL('**/admin-user/*');
  await page.getByRole('button', { name: 'Update admin user' }).waitFor();
  await page.getByLabel('E-mail').fill(`new-${email}`);
  await page.getByRole('button', { name: 'Update admin user' }).click();
  await page.getByRole('status').getByText('User Is Update').waitFor();
  const { json: users } = await api.get<{ _id: string; userEmail: string; userRole: string }[]>('/users');
  const added = users.find(({ userEmail }) => userEmail === `new-${email}`);
  expect(added).toMatchObject({ userRole: 'Admin' });
  await page.goto('/add-user');
  await page.getByRole('button', { name: `Delete new-${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete admin user' }).click();
  await page.getByRole('link', { name: `new-${email}` }).waitFor({ state: 'detached' });
  expect((await api.get(`/users/${added!._id}`)).status).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: `new-${email}` }).waitFor();
  expect((await api.get(`/users/${added!._id}`)).json).toMatchObject({ userRole: 'Admin' });
  await api.delete(`/users/${added!._id}`);
});

test('the settings hub leads to the screens of the specification, in their order', async () => {
  await page.goto('/setting');
  const cards = page.getByRole('list', { name: 'Settings' }).getByRole('link');
  await cards.first().waitFor();
  const targets = await cards.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(targets).toEqual([
    '/edit-banner',
    '/add-logo',
    '/edit-about',
    '/edit-work',
    '/edit-service',
    '/edit-counter',
    '/edit-faq',
    '/edit-testimonial',
    '/add-pricing',
    '/update-calltoaction',
    '/add-address-footer',
    '/add-social-footer',
    '/add-copyright',
  ]);
});

/** Some admin screens (`/:id` edits the section About). */
const adminScreens = [
  '/admin',
  '/total-orders',
  '/all-messages',
  '/add-user',
  '/audit-log',
  '/edit-banner',
  '/:id',
];

test('an admin screen tells a customer that they have no permission', async () => {
  const { page: customer } = await openPageAs(browser, newPerson());
  for (const path of adminScreens) {
    await customer.goto(await addressFor(path), { waitUntil: 'commit' });
    await customer.getByRole('heading', { level: 1 }).filter({ hasNotText: /^$/ }).first().waitFor();
    expect([path, await customer.locator('main h1').textContent()]).toEqual([
      path,
      "You don't have any permission",
    ]);
  }
  await customer.getByRole('link', { name: 'Go to your dashboard' }).click();
  await customer.waitForURL('**/dashboard');
});

fullTest('a visitor who opens an admin screen gets to it after signing in', async () => {
  const visitor = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
  await visitor.goto('/edit-banner');
  await visitor.waitForURL('**/login');
  await visitor.getByLabel('E-mail').fill(admin.email);
  await visitor.getByLabel('Password').fill(admin.password);
  await visitor.getByRole('button', { name: 'Login', exact: true }).click();
  await visitor.waitForURL('**/edit-banner');
  await visitor.getByRole('link', { name: 'Update Banner' }).waitFor();
});

/** A dashboard, a hub, tables, a record, a list with a form, an edit screen with a preview, and settings of the account. */
test.each(
  sampleEvery(7, [
    '/admin',
    '/setting',
    '/all-messages',
    '/view/:id',
    '/edit-service',
    '/package-edit/:id',
    '/account/security',
  ]),
)('%s has no faults on a desktop and a phone', async (path) => {
  await addMessage(`For ${path}`);
  problems.length = 0;
  const address = await addressFor(path);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await visit(page, address);
    expect({ width, faults: await findFaults(page) }).toEqual({ width, faults: [] });
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await findSidewaysScroll(page)).toEqual([]);
  expect(problems).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
});

fullTest(
  'the arrow keys choose a result of the search, and Enter opens the one that is announced',
  async () => {
    await visit(page, '/setting');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('orders');
    const search = page.getByRole('combobox', { name: 'Find a screen' });
    const results = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await page
      .getByRole('status')
      .getByText(/^\d+ results$/)
      .waitFor();
    const announced = async () => {
      const id = await search.getAttribute('aria-activedescendant');
      return results.evaluateAll(
        (options, chosen) => options.find((option) => option.id === chosen)?.textContent,
        id,
      );
    };
    expect(await announced()).toContain('Orders');
    await page.keyboard.press('ArrowUp');
    expect(await announced()).toContain('in audit log');
    await page.keyboard.press('ArrowDown');
    expect(await announced()).toContain('Orders');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/total-orders');
  },
);

fullTest('a screen is found by the label of a field, and a record edited, by keyboard only', async () => {
  const [logo] = (await api.get<{ _id: string; logo: string }[]>('/logo')).json;
  await page.goto('/setting');
  await waitUntilSettled(page);
  await tabTo(page, 'Find a screen');
  await page.keyboard.type('logo address');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/add-logo');
  await page.getByRole('link', { name: 'Update Logo', exact: true }).waitFor();
  await waitUntilSettled(page);
  await tabTo(page, 'Update Logo');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/edit-logo/${logo!._id}`);
  await page.getByRole('button', { name: 'Update Logo', exact: true }).waitFor();
  await waitUntilSettled(page);
  await tabTo(page, 'logo');
  await page.keyboard.press('End');
  await page.keyboard.type('?v=2');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Logo is Updated').waitFor();
  expect((await api.get<unknown[]>('/logo')).json).toMatchObject([{ logo: `${logo!.logo}?v=2` }]);
  await api.put(`/logo/${logo!._id}`, { logo: logo!.logo });
});

fullTest('on a phone, the menu opens and closes by keyboard', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/setting');
  const summary = page.locator('summary', { hasText: 'Admin menu' });
  await summary.focus();
  await page.keyboard.press('Enter');
  const entry = page
    .getByRole('navigation', { name: 'Admin menu' })
    .getByRole('link', { name: 'Subscribers' });
  await entry.waitFor();
  await page.keyboard.press('Escape');
  await entry.waitFor({ state: 'hidden' });
  expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await entry.press('Enter');
  await page.waitForURL('**/all-subscriber');
  await entry.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1280, height: 900 });
});

type Manifest = Record<string, { file: string; imports?: string[]; name?: string }>;

test('no public page loads code of the admin area', async () => {
  const manifest = JSON.parse(
    readFileSync(resolve('dist/web/client/.vite/manifest.json'), 'utf8'),
  ) as Manifest;
  const loaded = (source: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(source)) return seen;
    seen.add(source);
    for (const next of manifest[source]?.imports ?? []) loaded(next, seen);
    return seen;
  };
  const isBehindSignIn = (source: string) =>
    /features\/admin|app\/(screens|content-screens)/.test(source) || manifest[source]?.name === 'workspace';
  // If the patterns matched no file, the test would prove nothing.
  expect([...loaded('src/features/admin/setting.route.tsx')].filter(isBehindSignIn).length).toBeGreaterThan(
    1,
  );
  const forVisitors = Object.keys(manifest).filter((source) =>
    /^src\/(entry-client|features\/(landing|pricing|service|contact|legal|session)\/)/.test(source),
  );
  expect(forVisitors.length).toBeGreaterThan(7);
  for (const source of forVisitors)
    expect([source, [...loaded(source)].filter(isBehindSignIn)]).toEqual([source, []]);
});

fullTest('the styles of features override those of components, whatever the order of the files', async () => {
  const layers = await page.evaluate(() =>
    [...document.styleSheets]
      .flatMap((sheet) => [...sheet.cssRules])
      .flatMap((rule) =>
        rule instanceof CSSLayerStatementRule
          ? [...rule.nameList]
          : rule instanceof CSSLayerBlockRule
            ? [rule.name]
            : [],
      ),
  );
  expect([...new Set(layers)].slice(0, 5)).toEqual(['tokens', 'base', 'components', 'features', 'print']);
});
