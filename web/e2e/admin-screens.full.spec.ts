import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Session, TestBrowser } from '#libs/testing';
import { contentScreens, editAddress } from '../src/features/admin/screens.js';
import { faults } from './look.js';
import { signedInAdmin } from './person.js';

let browser: TestBrowser;
let page: Page;
let api: Session;

beforeAll(async () => {
  browser = await TestBrowser.open();
  ({ page, api } = await signedInAdmin(browser));
});
afterAll(() => browser?.close());

/** Everything that content is edited on, with the demo content. */
const screens = contentScreens.flatMap(({ path, parts }) => [
  [path, undefined] as const,
  ...parts.map((part) => [part.editPath, part] as const),
]);

test.each(screens)('%s is sound on a desktop and a phone, in light and in dark', async (path, part) => {
  const [record] = part ? (await api.get<{ _id: string }[]>(part.section.routes.list)).json : [];
  // Where the demo content has no record, there is nothing to change.
  const address = part && record ? editAddress(part, record._id) : path;
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(address);
    await page.waitForFunction(
      () => document.querySelector('main h1') && !document.querySelector('.waiting, [aria-busy="true"]'),
    );
    expect({ address, width, faults: await faults(page) }).toEqual({ address, width, faults: [] });
  }
});
