import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Order } from '#libs/contracts';
import { Session, TestBrowser, testStack } from '#libs/testing';
import { findFaults } from './faults.js';
import { newPerson, openPageAsAdmin, pathOf, placeOrder } from './person.js';
import { visit, waitUntilSettled } from './visit.js';

const { url } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

async function expectNoFaults(page: Page): Promise<void> {
  await waitUntilSettled(page);
  expect({ address: pathOf(page), faults: await findFaults(page) }).toMatchObject({ faults: [] });
}

describe.each([
  ['a phone', 390, 844],
  ['a tablet', 768, 1024],
])('on %s', (_name, width, height) => {
  const size = { width, height };

  test('a visitor chooses a package, registers, places the order and reaches Pay Now', async () => {
    const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce', ...size });
    const { email, password } = newPerson();
    await visit(page, '/');
    // Phones always show the links in a menu, tablets only while somebody is signed in.
    const menu = page.locator('.menu__button');
    if (await menu.isVisible()) await menu.click();
    await page
      .getByRole('link', { name: 'Pricing', exact: true })
      .and(page.locator(':visible'))
      .first()
      .click();
    await page.getByRole('link', { name: 'Order Standard' }).click();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Welcome! Register to continue' }).waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Address').fill('12 St James’s Square, London');
    await page.getByLabel('Country').fill('United Kingdom');
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Place Order Now' }).click();
    await page.getByRole('link', { name: 'Pay $590.00' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pay Now' }).waitFor();
    await expectNoFaults(page);
  });

  test('an admin finds an order, sets its status to Delivered, and writes a note about its customer', async () => {
    const customer = await Session.register(url, newPerson());
    const placed = await placeOrder(customer, 'Basic', { customerName: `Ada ${width}` });
    const { page, api } = await openPageAsAdmin(browser, size);
    await visit(page, '/admin');
    await page.locator('summary', { hasText: 'Admin menu' }).click();
    await page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill(`#${placed.number}`);
    await page.waitForURL('**/total-orders?search=*');
    const row = page.getByRole('row').filter({ hasText: `#${placed.number}` });
    await row.getByRole('cell', { name: `Ada ${width}`, exact: true }).waitFor();
    await expectNoFaults(page);
    await row.click();
    await page.getByRole('heading', { name: `Order #${placed.number}` }).waitFor();
    await page.getByLabel('Order status', { exact: true }).selectOption('Delivered');
    await page.getByRole('button', { name: 'Update Order Status' }).click();
    await page.locator('.toast').getByText('OrderStatus is Updated').waitFor();
    expect((await api.get<Order>(`/order/${placed._id}`)).json.orderStatus).toBe('Delivered');
    await expectNoFaults(page);
    await page.getByRole('link', { name: `Ada ${width}` }).click();
    // The screen of the order has notes, too, so the test waits for the next screen.
    await page.getByRole('heading', { level: 1, name: 'Customer' }).waitFor();
    await page.getByLabel('New note').fill('Prefers calls in the morning.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByRole('listitem').getByText('Prefers calls in the morning.').waitFor();
    await expectNoFaults(page);
  });
});
