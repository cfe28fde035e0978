import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Account, AdminUser } from '#libs/contracts';
import { eventually, Session, TestBrowser, testStack } from '#libs/testing';
import { MailCatcher } from '../../dev/stand-ins/mail/client.js';
import { findFaults, findSidewaysScroll } from './faults.js';
import { newPerson, openPageAs, openPageAsAdmin, type Person, placeOrder } from './person.js';
import { visit } from './visit.js';

const { url, admin, mail: catcher } = testStack();

let browser: TestBrowser;
let mail: MailCatcher;
let invited: string[] = [];
beforeAll(async () => {
  browser = await TestBrowser.open();
  mail = MailCatcher.at(catcher!.url);
});
afterAll(() => browser?.close());
// Other specs use the same site, so admins that a test has made are removed.
afterEach(async () => {
  const api = await Session.signIn(url, admin);
  for (const { _id, userEmail } of (await api.get<AdminUser[]>('/users')).json)
    if (invited.includes(userEmail)) await api.delete(`/users/${_id}`);
  invited = [];
});

async function invite(email: string): Promise<string> {
  invited.push(email);
  const api = await Session.signIn(url, admin);
  expect((await api.post('/admin-invitations', { email })).status).toBe(201);
  return linkTo(email);
}

async function linkTo(email: string): Promise<string> {
  const { text } = await eventually(() => mail.newest({ to: email, subject: 'invited to manage' }));
  return new RegExp(`${url}/admin-invitation#token=[\\w-]+`).exec(text)![0];
}

async function registerAndConfirmAddress(): Promise<Person> {
  const person = newPerson();
  const api = await Session.register(url, person);
  const { text } = await eventually(() => mail.newest({ to: person.email, subject: 'Confirm' }));
  const [, token] = new RegExp(`${url}/verify-email#token=([\\w-]+)`).exec(text)!;
  expect((await api.post('/auth/verify-email', { token })).status).toBe(200);
  return person;
}

const visitorPage = () => browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
const pendingRow = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email });
const button = (page: Page, name: string) => page.getByRole('button', { name });

test('an admin invites somebody by keyboard, and that person creates an account with the link and becomes an admin', async () => {
  const { email, password } = newPerson();
  invited.push(email);
  const { page } = await openPageAsAdmin(browser, { width: 1280, height: 900 });
  await visit(page, '/add-user');
  await button(page, 'Invite by e-mail').press('Enter');
  const field = page.getByLabel('E-mail address');
  await page.waitForFunction(() => document.activeElement?.matches('input[type=email]'));
  await page.keyboard.type('nobody');
  await page.keyboard.press('Enter');
  await page.getByText('Provide a Valid Email').first().waitFor();
  await field.fill(email);
  await field.press('Enter');
  await page.getByText(`Invitation sent to ${email}`).waitFor();
  await pendingRow(page, email).getByText('Pending').waitFor();
  await pendingRow(page, email).getByText(`Invited by ${admin.email}`).waitFor();
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await findSidewaysScroll(page)).toEqual([]);

  const guest = await visitorPage();
  await guest.goto(await linkTo(email));
  await button(guest, 'Create account and join').waitFor();
  // The token is not left in the address.
  await eventually(() => expect(guest.url()).toBe(`${url}/admin-invitation`));
  expect(await findFaults(guest)).toEqual([]);
  await guest.setViewportSize({ width: 390, height: 800 });
  expect(await findSidewaysScroll(guest)).toEqual([]);
  await guest.getByLabel('Password', { exact: true }).fill(password);
  await guest.keyboard.press('Enter');
  await guest.waitForURL('**/admin');
  await guest.getByRole('heading', { level: 1 }).waitFor();
  const api = await Session.signIn(url, { email, password });
  const { json } = await api.get<{ account: Account }>('/auth/me');
  expect(json.account).toMatchObject({ role: 'Admin', emailVerified: true });

  await eventually(async () => {
    const { text } = await mail.newest({ to: admin.email, subject: 'The admins of' });
    expect(text).toContain(`${email} was added as an admin.`);
  });
  await visit(page, '/add-user');
  await page.getByRole('link', { name: email }).waitFor();
  expect(await button(page, `Revoke the invitation to ${email}`).count()).toBe(0);
});

test('a customer signs in at the link and accepts; the used link says that it no longer works', async () => {
  const person = await registerAndConfirmAddress();
  const link = await invite(person.email);
  const page = await visitorPage();
  await page.goto(link);
  await page.getByRole('link', { name: 'Sign in to accept' }).click();
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/admin-invitation');
  await button(page, 'Accept invitation').waitFor();
  expect(await findFaults(page)).toEqual([]);
  await button(page, 'Accept invitation').click();
  await page.waitForURL('**/admin');
  await page.getByText('Welcome to Admin Panel').first().waitFor();

  await page.goto(link);
  await page.getByRole('heading', { name: 'This invitation no longer works' }).waitFor();
  expect(await findFaults(page)).toEqual([]);
});

test('somebody who is signed in with another address cannot accept', async () => {
  const { email } = newPerson();
  const link = await invite(email);
  const { page } = await openPageAs(browser, newPerson());
  await page.goto(link);
  await page.getByText(/You’re signed in as .* to continue as /).waitFor();
  expect(await button(page, 'Accept invitation').count()).toBe(0);
});

test('an invitation that was just sent cannot be sent again, but can be revoked', async () => {
  const { email } = newPerson();
  const link = await invite(email);
  const { page } = await openPageAsAdmin(browser);
  await visit(page, '/add-user');
  await button(page, `Resend to ${email}`).click();
  await pendingRow(page, email).getByText('Too many attempts. Try again later.').waitFor();
  await button(page, `Revoke the invitation to ${email}`).click();
  await button(page, 'Revoke invitation').click();
  await page.getByText('Invitation revoked').waitFor();
  await pendingRow(page, email).waitFor({ state: 'detached' });
  const guest = await visitorPage();
  await guest.goto(link);
  await guest.getByRole('heading', { name: 'This invitation no longer works' }).waitFor();
});

test('an admin chooses by keyboard which notification e-mails they get', async () => {
  const person = await registerAndConfirmAddress();
  const link = await invite(person.email);
  const { page, api } = await openPageAs(browser, person, { isNew: false, width: 1280, height: 900 });
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
  expect((await api.post('/auth/admin-invitation/accept', { token })).status).toBe(200);
  const { packageName } = await placeOrder(await Session.register(url, newPerson()));
  await eventually(() => mail.newest({ to: person.email, subject: `: ${packageName} for` }));

  await visit(page, '/notifications');
  const orders = page.getByRole('checkbox', { name: 'New orders' });
  expect(await orders.isChecked()).toBe(true);
  expect(await findFaults(page)).toEqual([]);
  await orders.press('Space');
  await button(page, 'Save').focus();
  await page.keyboard.press('Enter');
  await page.getByText('Notifications saved').waitFor();
  await visit(page, '/notifications');
  expect(await orders.isChecked()).toBe(false);
  expect(await page.getByRole('checkbox', { name: 'Payments received' }).isChecked()).toBe(true);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await findSidewaysScroll(page)).toEqual([]);
});
