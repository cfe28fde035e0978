import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { privateShells } from '#libs/contracts';
import { type Session, TestBrowser } from '#libs/testing';
import { contentScreens, editAddress } from '../src/features/admin/screens.js';
import { faults, sidewaysScroll } from './look.js';
import { order, signedInAdmin } from './person.js';
import { visit } from './visit.js';

let browser: TestBrowser;
let page: Page;
let api: Session;

beforeAll(async () => {
  browser = await TestBrowser.open();
  ({ page, api } = await signedInAdmin(browser));
});
afterAll(() => browser?.close());

type Stored = { _id: string };
const first = async (list: string) => (await api.get<Stored[]>(list)).json[0]?._id;

/** Every content screen, with the demo content. */
const content = contentScreens.flatMap(({ path, parts }) => [
  [path, () => Promise.resolve(path)] as const,
  ...parts.map((part) => {
    // Without a record in the demo content there is nothing to edit.
    const address = async () => {
      const id = await first(part.section.routes.list);
      return id ? editAddress(part, id) : path;
    };
    return [part.editPath, address] as const;
  }),
]);

/** For the other screens that show a record: how to find one. */
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
  '/admin/payment-status/:id': async () => (await order(api))._id,
  '/customer/:id': async () => (await order(api)).accountId ?? undefined,
  '/order-now/:id': () => first('/pricings'),
  '/pay-now/:id': async () => (await order(api))._id,
  '/received-payment/:id': async () => (await order(api))._id,
  '/admin-user/:id': () => first('/users'),
  '/paypal-email/:id': () => first('/paypal-email'),
};
/** Screens that redirect by themselves. */
const redirecting = ['/order-cancelled/:id'];
/** Screens whose heading and tab say what has happened, once that is known. */
const titledByHeading = ['/received-payment/:id'];
const ofContent = new Set<string>(content.map(([path]) => path));

/**
 * All other screens behind the sign-in, as an admin sees them. Without a record they say that there is none.
 */
const others = privateShells
  .filter((path) => !ofContent.has(path) && !redirecting.includes(path))
  .map((path) => {
    const id = async () => (await records[path]?.()) ?? '019a0000-0000-7000-8000-00000000dead';
    return [path, async () => path.replace(':section', 'terms').replace(':id', await id())] as const;
  });

test.each([...content, ...others])(
  '%s has no faults on a desktop, a phone and in the narrowest window, in light and dark',
  async (path, findAddress) => {
    const address = await findAddress();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const response = await visit(page, address);
      expect({ address, width, faults: await faults(page) }).toEqual({ address, width, faults: [] });
      // The tab has its title before the screen has loaded, and keeps it. One HTML document serves all sections
      // without an address of their own: its title begins with ‘Settings’, and the heading names the section.
      const [, title] = /<title>([^<|]+)/.exec(await response!.text())!;
      const isInHeading =
        titledByHeading.includes(path) || (/^\/setting\/./.test(address) && title!.startsWith('Settings'));
      const begins = isInHeading ? await page.locator('h1').innerText() : title!.trim();
      expect([address, (await page.title()).toLowerCase()]).toEqual([
        address,
        expect.stringContaining(begins.toLowerCase()),
      ]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect({ address, narrowest: await sidewaysScroll(page) }).toEqual({ address, narrowest: [] });
  },
);
