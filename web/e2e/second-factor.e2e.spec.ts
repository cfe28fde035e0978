import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Page } from 'playwright-core';
import type { Account, SignInSecurity } from '#libs/contracts';
import { eventually, Session, TestBrowser, testStack, fullTest } from '#libs/testing';
import { findFaults } from './faults.js';
import { chooseGoogleAccount, newPerson, openPageAs, openPageAsAdmin, type Person } from './person.js';
import { visit } from './visit.js';

const { admin, databases, url } = testStack();

let browser: TestBrowser;
let identity: pg.Client;
beforeAll(async () => {
  identity = new pg.Client({ connectionString: databases.identity });
  [browser] = await Promise.all([TestBrowser.open(), identity.connect()]);
});
afterAll(() => Promise.all([browser?.close(), identity?.end()]));

/** The code that an authenticator app shows (RFC 6238), `ahead` time steps of 30 seconds from now. */
function codeOf(secret: string, ahead = 0): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac('sha1', key).update(step).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 0x0f) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** The virtual authenticator verifies its user and responds immediately. */
async function enablePasskeys(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function sessionIdOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === 'access_token')!.value;
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sid: string };
  return claims.sid;
}

/** Makes the sign-in too old for sensitive changes, and waits until the gateway knows. */
async function ageSignIn(page: Page): Promise<void> {
  await identity.query(`UPDATE sessions SET authenticated_at = now() - interval '1 day' WHERE id = $1`, [
    await sessionIdOf(page),
  ]);
  await eventually(async () => {
    const sent = { data: {}, headers: { origin: url } };
    const answer = await page.context().request.post('/auth/passkeys/options', sent);
    expect(await answer.json()).toMatchObject({ code: 'FRESH_SIGN_IN_REQUIRED' });
  });
}

async function setUpApp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Set up app' }).click();
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  const secret = (await page.locator('.security-secret').innerText()).replaceAll(' ', '');
  await page.getByLabel('6-digit code').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Finish setup' }).click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  const recoveryCodes = await page.locator('.security-codes__list code').allInnerTexts();
  return { secret, recoveryCodes };
}

async function signOut(page: Page): Promise<void> {
  // Repeated, because a sign-in in progress may still set its cookies.
  await eventually(async () => {
    await page.goto('about:blank');
    await page.context().clearCookies();
    await visit(page, '/login');
    await page.getByRole('button', { name: 'Login' }).waitFor({ timeout: 5_000 });
  });
}

async function login(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

describe('an authenticator app', () => {
  test('is set up, and then each sign-in asks for its code or a recovery code, also in the dialog for a session that has ended', async () => {
    const person = newPerson();
    const { page } = await openPageAs(browser, person);
    await page.goto('/account/security');
    const { secret, recoveryCodes } = await setUpApp(page);
    expect(recoveryCodes).toHaveLength(10);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download codes' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('recovery-codes.txt');

    await signOut(page);
    await login(page, person);
    await page.getByRole('heading', { name: 'Confirm your sign-in' }).waitFor();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This code is incorrect or was already used. Enter a new one.').waitFor();
    // Each code works only once, and the setup has used the current one. Codes are accepted one time step early or late.
    await page.getByLabel('Code').fill(codeOf(secret, 1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/dashboard');

    await signOut(page);
    await login(page, person);
    await page.getByLabel('Code').fill(recoveryCodes[0]!);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/dashboard');
    await page.goto('/account/security');
    await page.getByText('9 of 10 codes left.').waitFor();

    // The session ends while the person types. A dialog asks for password and code, and the save continues.
    await identity.query(`UPDATE accounts SET email_verified = true WHERE email = $1`, [person.email]);
    const { api } = await openPageAsAdmin(browser);
    const { json: adminUser } = await api.post<{ _id: string }>('/add-user', {
      userEmail: person.email,
      userRole: 'Admin',
    });
    await eventually(async () => {
      const me = (await (await page.context().request.get('/auth/me')).json()) as { account: Account };
      expect(me.account.role).toBe('Admin');
    });
    await visit(page, '/add-user');
    const typedEmail = `typed-${person.email}`;
    const form = page.getByRole('form', { name: 'Add admin user' });
    await form.getByLabel('E-mail').fill(typedEmail);
    await page.context().clearCookies();
    await form.getByRole('button', { name: 'Add admin user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(person.password);
    await dialog.getByRole('button', { name: 'Login' }).click();
    await dialog.getByLabel('Code').fill('000000');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('This code is incorrect or was already used. Enter a new one.').waitFor();
    await dialog.getByLabel('Code').fill(recoveryCodes[1]!);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('status').getByText('User Is Added').waitFor();
    const { json: admins } = await api.get<{ _id: string; userEmail: string }[]>('/users');
    const added = admins.filter(({ userEmail }) => userEmail === typedEmail);
    expect(added).toHaveLength(1);
    for (const { _id } of [adminUser, ...added]) expect((await api.delete(`/users/${_id}`)).status).toBe(200);
  });
});

describe('a passkey', () => {
  fullTest('is added, signs in without a password, and is the second factor after a password', async () => {
    const person = newPerson();
    const { page } = await openPageAs(browser, person);
    await enablePasskeys(page);
    await page.goto('/account/security');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByLabel('Passkey name').fill('My laptop');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('listitem').filter({ hasText: 'My laptop' }).waitFor();

    // The browser offers the passkey at the e-mail field, and the virtual authenticator accepts immediately.
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto('/login');
    await page.waitForURL('**/dashboard');

    // Without this script, the browser would sign in with the passkey before the button is pressed.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
    });
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/dashboard');

    // After the password, the passkey is the second factor.
    await signOut(page);
    await login(page, person);
    await page.getByRole('heading', { level: 1, name: 'Confirm your sign-in' }).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/dashboard');
  });
});

describe('a sensitive change', () => {
  fullTest('asks for a fresh sign-in in a dialog, and continues with the typed values', async () => {
    const { page } = await openPageAsAdmin(browser);
    await ageSignIn(page);
    await page.goto('/add-user');
    const email = `fresh-${Date.now()}@example.com`;
    const form = page.getByRole('form', { name: 'Add admin user' });
    await form.getByLabel('E-mail').fill(email);
    await form.getByRole('button', { name: 'Add admin user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await dialog.getByLabel('Password').fill('not the password');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Incorrect password').waitFor();
    await dialog.getByLabel('Password').fill(admin.password);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('User Is Added').waitFor();
    await page.getByText(email).first().waitFor();
    expect(await dialog.count()).toBe(0);
    // Other specs use the same site, so this admin is removed.
    const api = await Session.signIn(url, admin);
    const { json: admins } = await api.get<{ _id: string; userEmail: string }[]>('/users');
    const added = admins.find(({ userEmail }) => userEmail === email);
    expect((await api.delete(`/users/${added!._id}`)).status).toBe(200);
  });

  fullTest('of the account also asks for the second factor, and keeps the typed values', async () => {
    const person = newPerson();
    const { page } = await openPageAs(browser, person);
    await page.goto('/account/security');
    const { recoveryCodes } = await setUpApp(page);
    await ageSignIn(page);

    await page.goto('/account');
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    await page.getByLabel('New e-mail').fill(newPerson().email);
    await page.getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Send link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await dialog.getByLabel('Password').fill(person.password);
    await dialog.getByLabel('Code from your app, or a recovery code').fill(recoveryCodes[0]!);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('we’ve sent a link to it').waitFor();
    expect(await dialog.count()).toBe(0);
  });

  fullTest('is confirmed with Google, in a separate window, if the account has no password', async () => {
    const person = { email: newPerson().email, name: 'Ada Lovelace' };
    const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
    await page.goto('/account/security');
    await page.getByRole('link', { name: 'Join With Google' }).click();
    await chooseGoogleAccount(page, person);
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    await ageSignIn(page);

    await page.getByRole('button', { name: 'Set up app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
    const confirm = dialog.getByRole('button', { name: 'Confirm with Google' });
    await confirm.waitFor();
    expect(await dialog.getByLabel('Password').count()).toBe(0);
    const [popup] = await Promise.all([page.waitForEvent('popup'), confirm.click()]);
    await chooseGoogleAccount(popup, person);
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});

describe('requiring a second factor', () => {
  fullTest('makes an admin set one up first, and then lets them require it of others', async () => {
    const person = newPerson();
    const { page, api } = await openPageAs(browser, person);
    await identity.query('UPDATE accounts SET email_verified = true WHERE email = $1', [person.email]);
    const otherAdmin = await Session.signIn(url, admin);
    const { status, json: adminUser } = await otherAdmin.post<{ _id: string }>('/add-user', {
      userEmail: person.email,
      userRole: 'Admin',
    });
    expect(status).toBe(201);
    await eventually(async () => {
      const { json } = await api.get<{ account: Account }>('/auth/me');
      expect(json.account.role).toBe('Admin');
    });
    // Other specs use the same site, so the answers that depend on whether a second factor is required are faked for this page.
    const security = async () => (await api.get<SignInSecurity>('/auth/security')).json;
    await page.route('**/auth/me', async (route) => {
      const { json } = await api.get<{ account: Account }>('/auth/me');
      const lacksFactor = (await security()).totp === null;
      await route.fulfill({
        json: { account: { ...json.account, ...(lacksFactor && { needsSecondFactor: true }) } },
      });
    });
    await page.route('**/auth/security', async (route) =>
      route.fulfill({ json: { ...(await security()), required: true } }),
    );
    // False at first, unlike in the answers above, so that the screen offers to require a second factor.
    let required = false;
    await page.route('**/auth/admin-requirement', async (route) => {
      if (route.request().method() === 'PUT')
        ({ required } = route.request().postDataJSON() as { required: boolean });
      await route.fulfill({ json: { required } });
    });

    await visit(page, '/admin');
    await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Set up second factor' }).click();
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    await page.getByText('Admins need a second factor.').waitFor();
    await setUpApp(page);

    const requirement = page.getByRole('region', { name: 'Other admins' });
    await requirement.getByText('Admins can use the admin panel without a second factor.').waitFor();
    await requirement.getByRole('button', { name: 'Require a second factor' }).click();
    await page.getByRole('status').getByText('All admins now need a second factor').waitFor();
    await requirement.getByRole('button', { name: 'Make second factor optional' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Admin', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome to Admin Panel' }).waitFor();
    expect((await otherAdmin.delete(`/users/${adminUser._id}`)).status).toBe(200);
  });
});
