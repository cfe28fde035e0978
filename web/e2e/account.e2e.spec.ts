import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, Session, TestBrowser, testStack, fullTest } from '#libs/testing';
import { MailCatcher } from '../../dev/stand-ins/mail/client.js';
import { getPackage, newPerson, openPageAs, placeOrder } from './person.js';
import { visit } from './visit.js';

const { url, mail: catcher } = testStack();
const mail = MailCatcher.at(catcher!.url);

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

function linkMailedTo(email: string, path: '/verify-email' | '/reset'): Promise<string> {
  return eventually(async () => {
    const { text } = await mail.newest({ to: email });
    const [link] = new RegExp(`${url}${path}#token=[\\w-]+`).exec(text) ?? [];
    if (link === undefined) throw new Error(`No link to ${path} in ${text}`);
    return link;
  });
}

const relativeAddress = (page: Page) =>
  page.evaluate(() => location.pathname + location.search + location.hash);
const verifyCallout = (page: Page) => page.getByRole('complementary', { name: 'Your e-mail address' });

async function open(path: string): Promise<Page> {
  const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
  await visit(page, path);
  return page;
}

fullTest(
  'the menu in the header says who is signed in, closes on a click elsewhere, and signs out',
  async () => {
    const person = newPerson();
    const { page } = await openPageAs(browser, person);
    await visit(page, '/pricing/');
    const button = page.locator('.account-menu summary');
    const panel = page.locator('.account-menu__panel');
    await button.click();
    await panel.getByText(person.email).waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await panel.waitFor({ state: 'hidden' });
    await button.press('Enter');
    await panel.getByRole('link', { name: 'Security' }).click();
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    await panel.waitFor({ state: 'hidden' });
    await button.press('Enter');
    await panel.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.header__nav').getByRole('link', { name: 'Login' }).waitFor();
    await button.waitFor({ state: 'detached' });
  },
);

test('a visitor registers, verifies their address with the link in the mail, and orders', async () => {
  const person = newPerson();
  const page = await open('/register');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.locator('.header__nav').getByRole('link', { name: 'Dashboard' }).click();
  await verifyCallout(page).getByText(person.email).waitFor();

  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.url()} ${request.headers().referer ?? ''}`));
  const link = await linkMailedTo(person.email, '/verify-email');
  await visit(page, link);
  const confirm = page.getByRole('button', { name: 'Confirm address' });
  await confirm.waitFor();
  // The token was removed from the page's address and not sent to the server. The e-mail address is not confirmed yet.
  await eventually(async () => expect(await relativeAddress(page)).toBe('/verify-email'));
  const token = link.split('=')[1]!;
  expect(requests.filter((seen) => seen.includes(token))).toEqual([]);
  const api = await Session.signIn(url, person);
  const verified = async () =>
    (await api.get<{ account: { emailVerified: boolean } }>('/auth/me')).json.account.emailVerified;
  expect(await verified()).toBe(false);
  await confirm.click();
  await page.getByText(`${person.email} is now confirmed for your account.`).waitFor();
  expect(await verified()).toBe(true);

  await page.getByRole('link', { name: 'Go to your dashboard' }).click();
  await page.getByRole('heading', { name: 'Welcome to User Dashboard' }).waitFor();
  expect(await verifyCallout(page).count()).toBe(0);
  await visit(page, `/order-now/${(await getPackage('Basic'))._id}`);
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Address').fill('12 St James’s Square');
  await page.getByLabel('Country').fill('United Kingdom');
  await page.getByRole('button', { name: 'Place Order Now' }).click();
  await page.waitForURL('**/pending-order');
});

test('a forgotten password is reset with the mailed link; the old session and the old password no longer work', async () => {
  const person = newPerson();
  const { page: signedInPage } = await openPageAs(browser, person);
  await visit(signedInPage, '/dashboard');
  // `linkMailedTo` reads only the newest mail, so the mail of the registration must arrive first.
  await linkMailedTo(person.email, '/verify-email');

  const page = await open('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText('we’ve sent a link to it').waitFor();
  await visit(page, await linkMailedTo(person.email, '/reset'));
  await eventually(async () => expect(await relativeAddress(page)).toBe('/reset'));
  const field = page.getByRole('textbox', { name: 'New password' });
  await field.fill('password');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('This password is too common').first().waitFor();
  await field.fill('a new and longer password');
  await page.getByRole('button', { name: 'Save password' }).click();
  // The form's introduction has the same words, so the test waits for the status.
  await page.getByRole('status').getByText('Sign in with your new password.').waitFor();

  await signedInPage.reload();
  await signedInPage.waitForURL('**/login');
  await page.getByRole('link', { name: 'Login' }).last().click();
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor();
  for (const [password, leadsTo] of [
    [person.password, undefined],
    ['a new and longer password', '**/dashboard'],
  ] as const) {
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Login' }).click();
    if (leadsTo) await page.waitForURL(leadsTo);
    else await page.getByRole('alert').getByText('is incorrect').waitFor();
  }
});

describe('the account screen', () => {
  test('lists sessions, signs another device out, and changes password and e-mail address', async () => {
    const person = newPerson();
    const { page, api } = await openPageAs(browser, person);
    await visit(page, '/account');
    const sessions = page.getByRole('list', { name: 'Where you’re signed in' });
    await sessions.getByText('This device').waitFor();
    // The session of `api` is listed as one of an unknown app.
    await sessions
      .getByRole('button', { name: /^Sign out Unknown app/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await sessions.getByRole('button', { name: /^Sign out Unknown app/ }).waitFor({ state: 'detached' });
    // The button that opened the dialog is gone, so the content gets the focus.
    await page.locator('#main:focus').waitFor();
    await eventually(async () => expect((await api.get('/auth/me')).status).toBe(401));

    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('a new and longer password');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Incorrect password').waitFor();
    await page.getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Password changed').waitFor();

    const newEmail = newPerson().email;
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    await page.getByLabel('New e-mail').fill(newEmail);
    await page.getByLabel('Current password').fill('a new and longer password');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('we’ve sent a link to it').waitFor();
    await visit(page, await linkMailedTo(newEmail, '/verify-email'));
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByText(`${newEmail} is now confirmed for your account.`).waitFor();
    await visit(page, '/account');
    await page.getByText(`You’re signed in as ${newEmail}.`).waitFor();
  });

  test('exports the person’s data, and deletes the account after asking for the password', async () => {
    const person = newPerson();
    const { page, api } = await openPageAs(browser, person);
    const { _id } = await placeOrder(api);
    await visit(page, '/account');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download data' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({
      account: { email: person.email },
      orders: [{ _id }],
    });

    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByRole('alert').getByText('Password is Required').waitFor();
    await dialog.getByLabel('Current password').fill(person.password);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('Account deleted').waitFor();
    await page.waitForURL(`${url}/`);
    await page.locator('.header__nav').getByRole('link', { name: 'Login' }).waitFor();
    expect(await relativeAddress(page)).toBe('/');
    await expect(Session.signIn(url, person)).rejects.toThrow('401');
  });
});
