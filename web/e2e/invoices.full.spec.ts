import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Invoice, Order } from '#libs/contracts';
import { eventually, type Session, TestBrowser } from '#libs/testing';
import { ViesStandIn } from '../../dev/stand-ins/vies/vies.js';
import { adminCredentials, type SiteUnderTest, startSite } from '../../apps/gateway/test/site.harness.js';
import { tabTo } from './keyboard.js';
import { findFaultsAndPhoneOverflow } from './faults.js';
import { getPackage, newPerson, openPageAs } from './person.js';
import { visit } from './visit.js';

/* This spec has a site of its own, because invoices change the order form for everybody. Each test continues where the one before stopped. */

const vatId = 'DE136695976';

let vies: ViesStandIn;
let site: SiteUnderTest;
let browser: TestBrowser;
let customer: { page: Page; api: Session };
let admin: { page: Page; api: Session };
let order: Order;
beforeAll(async () => {
  vies = await ViesStandIn.start();
  vies.validVatIds.add(vatId);
  site = await startSite({
    inBrowser: true,
    seed: 'demo',
    paypalClock: 'running',
    ordersSettings: { VIES_URL: vies.url },
  });
  const baseURL = site.url;
  browser = await TestBrowser.open();
  customer = await openPageAs(browser, newPerson(), { baseURL });
  admin = await openPageAs(browser, adminCredentials, { isNew: false, baseURL });
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
  await vies?.stop();
});

const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const invoices = async () => (await customer.api.get<Invoice[]>('/invoices')).json;

async function download(page: Page, click: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  const content = await readFile(await file.path());
  return { name: file.suggestedFilename(), firstBytes: content.subarray(0, 5).toString('latin1') };
}

describe('invoices', () => {
  test('are offered to no customer before they are set up', async () => {
    const { page, api } = customer;
    await visit(page, `/order-now/${(await getPackage('Basic', api))._id}`);
    expect(await page.getByText('Company, billing address or VAT ID').count()).toBe(0);
    await visit(page, '/account');
    expect(await page.getByRole('heading', { name: 'Billing details' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Invoices' }).count()).toBe(0);
    await visit(page, '/my-invoices');
    await page.getByText('No invoices yet').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  test('are explained to the admin in five sentences', async () => {
    const { page } = admin;
    await visit(page, '/admin');
    await page.getByRole('combobox', { name: 'Find a screen' }).fill('credit notes');
    await page.keyboard.press('Enter');
    await waitForHeading(page, 'Invoices');
    await page.getByRole('heading', { name: 'You don’t issue invoices yet' }).waitFor();
    expect(await page.locator('.invoice-introduction li').count()).toBe(5);
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  test('are set up by keyboard, with a preview', async () => {
    const { page } = admin;
    await visit(page, '/admin/invoices');
    await tabTo(page, 'Set up invoices');
    await page.keyboard.press('Enter');
    await waitForHeading(page, 'Invoice settings');
    const example = page.getByRole('link', { name: /^Open the example invoice/ });
    await example.waitFor();
    await page.getByLabel('Registered name').focus();
    for (const text of ['Summit Search GmbH', 'Torstraße 99', '', '10119', 'Berlin']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('Germany');
    await page.keyboard.press('Tab');
    // Leaves the e-mail address empty.
    await page.keyboard.press('Tab');
    await page.keyboard.type('29/123/45678');
    expect(await page.getByLabel('Country').inputValue()).toBe('DE');
    expect(await page.getByLabel('Tax number').inputValue()).toBe('29/123/45678');
    await page.getByLabel('Reason why no tax is charged').waitFor();
    await page.getByRole('radio', { name: 'No tax' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByLabel('Tax is added to prices').isChecked()).toBe(true);
    await page.getByLabel('Tax rate in percent').waitFor();
    expect(await page.getByLabel('Reason why no tax is charged').count()).toBe(0);

    const addressBefore = await example.getAttribute('href');
    const [preview] = await Promise.all([
      page.waitForResponse('**/invoice-settings/preview'),
      page.getByLabel('Invoice prefix').fill('SUM-'),
    ]);
    expect(preview.headers()).toMatchObject({ 'content-type': 'application/pdf' });
    await eventually(async () => expect(await example.getAttribute('href')).not.toBe(addressBefore));
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);

    await tabTo(page, 'Save and issue invoices');
    await page.keyboard.press('Enter');
    await page.getByText('Invoices are switched on').waitFor();
    await page.getByText('Leave it empty for the standard rate of your country, 19%.').waitFor();
    await visit(page, '/admin/invoices');
    await page.getByText('No invoices yet').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  test('take billing details from the order form, which checks the VAT ID and adds the tax', async () => {
    const { page, api } = customer;
    await visit(page, `/order-now/${(await getPackage('Basic', api))._id}`);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Address', { exact: true }).fill('Hauptstraße 1, Berlin');
    await page.getByLabel('Country', { exact: true }).fill('Germany');
    await page.getByLabel('Country', { exact: true }).blur();
    const total = page.locator('.tax-summary__total');
    await total.getByText('$345.10').waitFor();
    expect(await page.getByLabel('Company').isVisible()).toBe(false);
    await page.getByText('Company, billing address or VAT ID').click();
    await page.getByLabel('Company').fill('Analytical Engines GmbH');
    await page.getByLabel('Billing country').selectOption('Germany');
    await page.getByLabel('VAT ID').fill('DE12345');
    await page.getByLabel('VAT ID').blur();
    await page.getByText('Not a VAT ID').waitFor();
    await page.getByLabel('VAT ID').fill('de 136 695 976');
    await page.getByLabel('VAT ID').blur();
    await page.getByText('The EU’s register confirms this VAT ID.').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await button(page, 'Place Order Now').click();
    await page.getByRole('link', { name: 'Pay $345.10' }).click();
    await page.getByText('$345.10, of which $55.10 is tax (19%)').waitFor();
    [order] = (await api.get<Order[]>('/orders')).json as [Order];
    expect(order.billingDetails).toMatchObject({
      company: 'Analytical Engines GmbH',
      vatId,
      countryCode: 'DE',
    });
  });

  test('are issued when the order is paid, and downloaded from the receipt', async () => {
    const { page } = customer;
    await button(page, 'Pay Now').click();
    await page.getByRole('radio', { name: /^Card/ }).check();
    await page.getByLabel('Card number').fill('4111 1111 1111 1111');
    await page.getByRole('button', { name: 'Pay $345.10' }).click();
    await page.getByRole('link', { name: 'Return to merchant' }).click();
    await waitForHeading(page, 'You Have Paid');
    const link = page.getByRole('link', { name: /^Download PDF/ });
    await link.waitFor();
    const file = await download(page, () => link.click());
    const [invoice] = (await invoices()) as [Invoice];
    expect(file).toEqual({ name: `${invoice.number}.pdf`, firstBytes: '%PDF-' });
    expect(invoice).toMatchObject({
      ...{ kind: 'invoice', buyerName: 'Analytical Engines GmbH' },
      ...{ net: '290.00', tax: '55.10', gross: '345.10', orderNumber: order.number },
    });
    expect(invoice.number).toMatch(/^SUM-\d{4}-00001$/);
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  test('are in the customer’s list, and the billing details are remembered', async () => {
    const { page, api } = customer;
    await visit(page, '/dashboard');
    await page.getByRole('navigation', { name: 'Your account' }).getByText('Invoices').click();
    await waitForHeading(page, 'Invoices');
    const [invoice] = (await invoices()) as [Invoice];
    await page.locator('tbody').getByText(invoice.number, { exact: true }).waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await page.getByRole('link', { name: `Download PDF of ${invoice.number}` }).focus();
    const file = await download(page, () => page.keyboard.press('Enter'));
    expect(file.firstBytes).toBe('%PDF-');

    await visit(page, `/order-now/${(await getPackage('Basic', api))._id}`);
    expect(await page.getByLabel('Company').inputValue()).toBe('Analytical Engines GmbH');
    await visit(page, '/account');
    await page.getByText('The EU’s register confirms this VAT ID.').waitFor();
    await page.getByLabel('Company').fill('Analytical Engines SE');
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await button(page, 'Save billing details').click();
    await page.getByText('Billing details saved').waitFor();
    await visit(page, '/account');
    expect(await page.getByLabel('Company').inputValue()).toBe('Analytical Engines SE');
  });

  test('do not depend on the register of VAT IDs: if it is unavailable, the billing details say ‘You can continue anyway.’', async () => {
    vies.fault = 'unavailable';
    const { page } = customer;
    await visit(page, '/account');
    await page.getByLabel('VAT ID').fill('FR40303265045');
    await page.getByLabel('VAT ID').blur();
    await page.getByText('You can continue anyway.').waitFor();
    vies.fault = undefined;
  });

  test('are corrected by a credit note and a new invoice', async () => {
    const { page } = admin;
    await visit(page, `/admin/payment-status/${order._id}`);
    const [original] = (await invoices()) as [Invoice];
    await page.getByText('Analytical Engines GmbH').first().waitFor();
    await page.getByRole('button', { name: `Change details of ${original.number}` }).click();
    const dialog = page.getByRole('dialog', { name: `Change details of ${original.number}` });
    expect(await dialog.getByLabel('Company').inputValue()).toBe('Analytical Engines GmbH');
    await dialog.getByLabel('City').fill('Potsdam');
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Issue both' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [replacement, creditNote, corrected] = (await invoices()) as [Invoice, Invoice, Invoice];
    expect(replacement).toMatchObject({ kind: 'invoice', cites: { number: original.number } });
    expect(replacement.buyer.city).toBe('Potsdam');
    expect(creditNote).toMatchObject({ kind: 'credit_note', gross: '345.10' });
    expect(corrected).toMatchObject({ number: original.number, open: '0.00' });
    await page.getByText(`Replaces ${original.number}`).waitFor();
    await eventually(async () =>
      expect(await page.getByRole('link', { name: /^Download PDF/ }).count()).toBe(3),
    );
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  test('are found, filtered and downloaded by the admin', async () => {
    const { page } = admin;
    await visit(page, '/admin/invoices');
    await page.getByText('3 documents').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Credit note');
    await page.getByText('1 document found').waitFor();
    await page.getByText(/^CN-\d{4}-00001$/).waitFor();
    const csv = await download(page, () => page.getByRole('link', { name: /^Export CSV/ }).click());
    expect(csv.name).toMatch(/\.csv$/);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nobody has this name');
    await page.getByText('No matching invoices').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await button(page, 'Show all').last().click();
    await page.getByText('3 documents').waitFor();

    await button(page, 'Download month').click();
    const dialog = page.getByRole('dialog', { name: 'Download month' });
    await dialog.getByText('3 documents.').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    const zip = await download(page, () => dialog.getByRole('button', { name: 'Download ZIP' }).click());
    expect(zip.name).toMatch(/\.zip$/);
    expect(zip.firstBytes.slice(0, 2)).toBe('PK');
  });

  test('must be kept, according to the dialog that deletes the account', async () => {
    const { page } = customer;
    await visit(page, '/account');
    await button(page, 'Delete account').click();
    await page.getByRole('dialog').getByText('The law requires us to keep your invoices.').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });
});
