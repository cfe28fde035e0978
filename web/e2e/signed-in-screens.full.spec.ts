import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { privateShells } from '#libs/contracts';
import { type Session, TestBrowser } from '#libs/testing';
import { contentScreens, editAddressOf } from '../src/features/admin/content-screens.js';
import { findFaults, findSidewaysScroll } from './faults.js';
import { openPageAsAdmin, placeOrder } from './person.js';
import { visit } from './visit.js';

let browser: TestBrowser;
let page: Page;
let api: Session;

beforeAll(async () => {
  browser = await TestBrowser.open();
  ({ page, api } = await openPageAsAdmin(browser));
});
afterAll(() => browser?.close());

type Stored = { _id: string };
const firstId = async (list: string) => (await api.get<Stored[]>(list)).json[0]?._id;

const content = contentScreens.flatMap(({ path, parts }) => [
  [path, () => Promise.resolve(path)] as const,
  ...parts.map((part) => {
    // Without a record there is no edit screen, so the screen of its section is opened instead.
    const address = async () => {
      const id = await firstId(part.section.routes.list);
      return id ? editAddressOf(part, id) : path;
    };
    return [part.editPath, address] as const;
  }),
]);

/** How to find or create the record that a screen of `others` shows. Screens that are not listed here are opened with an unknown id. */
const records: Record<string, () => Promise<string | undefined>> = {
  '/view/:id': async () => {
    const body = {
      fullName: 'Ada Lovelace',
      emailAddress: 'ada@example.com',
      subject: 'An engine',
      message: 'How much?',
      messageStatus: 'UnRead',
    };
    return (await api.post<Stored>('/add-message', body)).json._id;
  },
  '/campaign/:id': async () =>
    (await api.post<Stored>('/campaigns', { subject: 'News', body: '# Hello\n\n- one\n- **two**' })).json._id,
  '/admin/payment-status/:id': async () => (await placeOrder(api))._id,
  '/customer/:id': async () => (await placeOrder(api)).accountId ?? undefined,
  '/order-now/:id': () => firstId('/pricings'),
  '/pay-now/:id': async () => (await placeOrder(api))._id,
  '/received-payment/:id': async () => (await placeOrder(api))._id,
  '/admin-user/:id': () => firstId('/users'),
  '/paypal-email/:id': () => firstId('/paypal-email'),
};
const redirectPaths = ['/order-cancelled/:id'];
/** Screens that have no title until they know what has happened. */
const titledByHeading = ['/received-payment/:id'];
const contentPaths = new Set<string>(content.map(([path]) => path));

const others = privateShells
  .filter((path) => !contentPaths.has(path) && !redirectPaths.includes(path))
  .map((path) => {
    const id = async () => (await records[path]?.()) ?? '019a0000-0000-7000-8000-00000000dead';
    return [path, async () => path.replace(':section', 'terms').replace(':id', await id())] as const;
  });

test.each([...content, ...others])(
  '%s has no faults on a desktop and a phone, in light and dark, and fits the narrowest window',
  async (path, findAddress) => {
    const address = await findAddress();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const response = await visit(page, address);
      expect({ address, width, faults: await findFaults(page) }).toEqual({ address, width, faults: [] });
      // On a screen, the tab keeps the title of the HTML document. Sections without a documented address share one document, titled ‘Settings’:
      // their tabs get the title from the heading.
      const [, title] = /<title>([^<|]+)/.exec(await response!.text())!;
      const titleIsHeading =
        titledByHeading.includes(path) || (/^\/setting\/./.test(address) && title!.startsWith('Settings'));
      const expected = titleIsHeading ? await page.locator('h1').innerText() : title!.trim();
      expect([address, (await page.title()).toLowerCase()]).toEqual([
        address,
        expect.stringContaining(expected.toLowerCase()),
      ]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect({ address, narrowest: await findSidewaysScroll(page) }).toEqual({ address, narrowest: [] });
  },
);
