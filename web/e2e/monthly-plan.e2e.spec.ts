import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PlanSubscription } from '#libs/contracts';
import { eventually, type Session, TestBrowser, fullTest } from '#libs/testing';
import { adminCredentials, type SiteUnderTest, startSite } from '../../apps/gateway/test/site.harness.js';
import { findFaultsAndPhoneOverflow } from './faults.js';
import { getPackage, newPerson, openPageAs } from './person.js';
import { visit } from './visit.js';

/* These tests run on a site of their own, because the billing clock moves for all plans. Each test continues where the one before stopped. */

let site: SiteUnderTest;
let browser: TestBrowser;
let customer: { page: Page; api: Session };
let admin: { page: Page; api: Session };
let planId: string;
beforeAll(async () => {
  site = await startSite({ inBrowser: true, seed: 'demo', paypalClock: 'running' });
  const baseURL = site.url;
  browser = await TestBrowser.open();
  customer = await openPageAs(browser, newPerson(), { baseURL });
  admin = await openPageAs(browser, adminCredentials, { isNew: false, baseURL });
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const plan = async () => (await customer.api.get<PlanSubscription>(`/plan-subscription/${planId}`)).json;
const day = (iso: string | null) => new Date(iso!).toLocaleDateString('en-US', { dateStyle: 'medium' });
const details = (page: Page, name: string) =>
  page
    .locator('.details > div')
    .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
    .locator('dd');

async function openPlan(): Promise<Page> {
  await visit(customer.page, `/monthly-plan/${planId}`);
  return customer.page;
}

async function advance(buttonName: string): Promise<Page> {
  const { page } = admin;
  await visit(page, `/admin/monthly-plan/${planId}`);
  await button(page, buttonName).click();
  await button(page, 'Stop').waitFor();
  // The buttons are shown again when the clock has stopped.
  await button(page, 'Advance 1 day').waitFor({ timeout: 60_000 });
  return page;
}

async function changePaymentMethod(method: 'ok' | 'declined'): Promise<void> {
  const opened = customer.page.waitForEvent('popup');
  await customer.page
    .getByRole('link', { name: /^Change payment method/ })
    .first()
    .click();
  const atPaypal = await opened;
  await atPaypal.locator(`input[value="${method}"]`).check();
  await atPaypal.getByRole('button', { name: 'Save payment method' }).click();
  await atPaypal.locator(`input[value="${method}"]:checked`).waitFor();
  await atPaypal.close();
}

describe('a monthly plan', () => {
  test('begins at the order form, and is approved at PayPal', async () => {
    const { page, api } = customer;
    await visit(page, `/order-now/${(await getPackage('Basic', api))._id}`);
    expect(await page.getByRole('radio', { name: 'Pay for one month' }).isChecked()).toBe(true);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Address').fill('12 St James’s Square, London');
    await page.getByLabel('Country').fill('United Kingdom');
    await page.getByLabel('Pay every month until you cancel').check();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await button(page, 'Place Order Now').click();
    await page.getByRole('link', { name: 'Pay $290.00' }).click();
    await page.getByText('approve $290.00 a month').waitFor();
    await page.getByText('Every month until you cancel', { exact: true }).waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await button(page, 'Pay Now').click();
    await page.locator('[name=method][value=ok]').check();
    await page.getByRole('button', { name: 'Agree and subscribe' }).click();
    await waitForHeading(page, 'You Have Paid');
    await page.getByText('renews every month until you cancel').first().waitFor();
    await page.getByRole('link', { name: 'the monthly plan' }).waitFor();
  });

  test('is on the dashboard with its next charge, and in the navigation', async () => {
    const { page } = customer;
    const planList = page.getByRole('list', { name: 'Monthly plans' });
    const listed = await eventually(async () => {
      const [plan] = (await customer.api.get<PlanSubscription[]>('/plan-subscriptions')).json;
      expect(plan).toMatchObject({ state: 'active' });
      return plan!;
    });
    planId = listed._id;
    await visit(page, '/dashboard');
    await planList.getByText(`Next charge $290.00 on ${day(listed.nextChargeAt)}`).waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await page.getByRole('navigation', { name: 'Your account' }).getByText('Monthly plans').click();
    await waitForHeading(page, 'Monthly plans');
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await page.getByRole('link', { name: /^Manage plan/ }).click();
    await waitForHeading(page, 'Monthly plan');
    await page.getByRole('link', { name: /^View receipt/ }).waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  test('is charged again when the time has come', async () => {
    const due = (await plan()).nextChargeAt;
    const page = await advance('Advance to the next charge');
    await page.getByText('Month 2,').waitFor();
    expect(await details(page, 'Charges received').innerText()).toBe('2');
    expect(await details(page, 'Next charge').innerText()).toBe(
      `$290.00 on ${day((await plan()).nextChargeAt)}`,
    );
    expect((await plan()).paidUntil! > due!).toBe(true);
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await visit(page, '/admin/monthly-plans');
    await page.locator('tbody').getByText('Active').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  fullTest('is past due when a charge fails, until the customer pays it', async () => {
    await openPlan();
    await changePaymentMethod('declined');
    const adminPage = await advance('Advance to the next charge');
    await details(adminPage, 'Status').getByText('Past due').waitFor();
    expect(await findFaultsAndPhoneOverflow(adminPage)).toEqual([]);
    const page = await openPlan();
    const callout = page.getByRole('region', { name: 'Your payment didn’t go through' });
    await callout
      .getByText(`We’ll keep working on the plan until ${day((await plan()).graceEndsAt)}.`)
      .waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await changePaymentMethod('ok');
    await callout.getByRole('button', { name: 'Try payment again' }).click();
    await callout.waitFor({ state: 'detached' });
    await details(page, 'Status').getByText('Active').waitFor();
    await page.getByText('Month 3,').waitFor();
  });

  test('is cancelled in two clicks, and the cancellation is undone with one', async () => {
    const page = await openPlan();
    const { paidUntil } = await plan();
    await button(page, 'Cancel plan').click();
    const dialog = page.getByRole('dialog', { name: 'Cancel your Basic plan?' });
    await dialog.getByText(`until ${day(paidUntil)}`).waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel plan' }).click();
    await page.getByRole('region', { name: `Your plan ends on ${day(paidUntil)}` }).waitFor();
    expect(await details(page, 'Next charge').innerText()).toBe('None');
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    // The focused button is gone, so the heading of the plan’s details gets the focus.
    await page.waitForFunction(() => document.activeElement?.id === 'plan-details');
    await button(page, 'Keep my plan').click();
    await details(page, 'Status').getByText('Active').waitFor();
    expect(await details(page, 'Next charge').innerText()).toBe(`$290.00 on ${day(paidUntil)}`);
  });

  fullTest('changes to another package from the next charge on', async () => {
    const page = await openPlan();
    const { nextChargeAt } = await plan();
    await page.getByLabel('New plan').selectOption('Premium');
    await page.getByText(`From ${day(nextChargeAt)}, you’ll pay $990.00 a month for Premium`).waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await button(page, 'Continue to PayPal').click();
    await page.getByRole('button', { name: 'Agree and change the plan' }).click();
    await page.waitForURL(`**/monthly-plan/${planId}`);
    await page.getByRole('region', { name: `Your plan changes on ${day(nextChargeAt)}` }).waitFor();
    expect(await details(page, 'Next charge').innerText()).toContain('$990.00');
    const adminPage = await advance('Advance to the next charge');
    await adminPage.getByRole('heading', { name: 'Premium, Ada Lovelace' }).waitFor();
    await adminPage.locator('tbody').getByText('$990.00').first().waitFor();
  });

  fullTest('is part of the figures of recurring revenue', async () => {
    const { page } = admin;
    await visit(page, '/admin/monthly-plans');
    await page.getByRole('link', { name: 'Recurring revenue' }).click();
    const figure = page.locator('.figure').filter({ hasText: 'Monthly recurring revenue' });
    await figure.getByText('$990.00').waitFor();
    await page.getByText('Recurring revenue by month as a table').click();
    await page.locator('.figure-table tbody tr').last().getByText('$990.00').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  fullTest('gets a new price once the customer has approved it', async () => {
    const { page, api } = admin;
    const { _id, ...premium } = await getPackage('Premium', api);
    expect((await api.put(`/pricing/${_id}`, { ...premium, packagePrice: '1090.00' })).status).toBe(200);
    await visit(page, '/admin/monthly-plans');
    await page.getByRole('link', { name: 'Announce a new price to customers' }).click();
    await eventually(async () => {
      await visit(page, '/admin/price-change?package=Premium');
      await page.getByRole('cell', { name: '$990.00 a month' }).waitFor({ timeout: 5_000 });
    });
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await button(page, 'Announce the new price').click();
    const dialog = page.getByRole('dialog', { name: 'Announce $1,090.00 a month to 1 customer?' });
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    expect((await plan()).change).toBeNull();
    await dialog.getByRole('button', { name: 'E-mail 1 customer' }).click();
    await page.getByText('New price announced to 1 customer').waitFor();

    const { change } = await plan();
    const customerPage = await openPlan();
    const callout = customerPage.getByRole('region', { name: 'New price: $1,090.00 a month' });
    await callout.getByText(`You can approve it at PayPal from ${day(change!.approvableFrom)}`).waitFor();
    expect(await findFaultsAndPhoneOverflow(customerPage)).toEqual([]);
    await advance('Advance to the next charge');
    expect((await plan()).nextChargeAmount).toBe('990.00');
    const approve = callout.getByRole('button', { name: 'Approve $1,090.00 a month' });
    // The button appears once the site knows of the charge, which may be after the screen was loaded.
    await eventually(async () => {
      await openPlan();
      await approve.waitFor({ timeout: 5_000 });
    });
    await approve.click();
    await customerPage.getByRole('button', { name: 'Agree and change the plan' }).click();
    await customerPage.waitForURL(`**/monthly-plan/${planId}`);
    await customerPage
      .getByRole('region', { name: `Your plan changes on ${day((await plan()).nextChargeAt)}` })
      .waitFor();
    const adminPage = await advance('Advance to the next charge');
    await adminPage.locator('tbody').getByText('$1,090.00').first().waitFor();
  });

  fullTest('is cancelled, and ends when the paid period is over', async () => {
    const page = await openPlan();
    await button(page, 'Cancel plan').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click();
    await button(page, 'Keep my plan').waitFor();
    const { cycles } = await plan();
    const adminPage = await advance('Advance 1 month');
    await details(adminPage, 'Status').getByText('Ended').waitFor();
    expect(await details(adminPage, 'Ended because').innerText()).toBe('Cancelled by the customer');
    expect(await findFaultsAndPhoneOverflow(adminPage)).toEqual([]);
    await openPlan();
    await page.getByRole('heading', { name: /^Your plan ended on / }).waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    expect((await plan()).cycles).toBe(cycles);
  });
});
