import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestBrowser } from '#libs/testing';
import { findFaults, findSidewaysScroll } from './faults.js';
import { placeOrdersAndListScreens } from './order-screens.js';
import { newPerson, openPageAs } from './person.js';
import { visit } from './visit.js';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

// orders.e2e.spec.ts checks the same screens on a phone.
test.each([
  ['has faults on a desktop, in light and in dark', 1440, findFaults],
  ['scrolls sideways in the narrowest window', 320, findSidewaysScroll],
] as const)('no screen of a customer’s orders %s', async (_, width, look) => {
  const { page, api } = await openPageAs(browser, newPerson(), { width });
  for (const path of await placeOrdersAndListScreens(api)) {
    await visit(page, path);
    expect({ path, faults: await look(page) }).toEqual({ path, faults: [] });
  }
});
