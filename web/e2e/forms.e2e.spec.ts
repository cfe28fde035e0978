import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { TestBrowser, testStack } from '#libs/testing';

const { url, admin } = testStack();

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(async () => {
  await browser.close();
});

async function open(path: string): Promise<Page> {
  const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
  await page.goto(path, { waitUntil: 'networkidle' });
  return page;
}

const errors = (page: Page) => page.locator('.field__error').allTextContents();

describe('the contact form', () => {
  test('says what is missing, and goes to the first of it', async () => {
    const page = await open('/contact');
    await page.getByRole('button', { name: 'Send message' }).click();
    expect(await errors(page)).toEqual([
      'Please enter your name',
      'Please enter your email',
      'Please enter a subject',
      'Please enter your message',
      'Please accept the terms',
    ]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('fullName');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').focus();
    expect(await errors(page)).not.toContain('Please enter your name');
  });

  test('keeps what was typed when it cannot be sent, and says why', async () => {
    const page = await open('/contact');
    await page.route('**/add-message', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ title: 'Unavailable', status: 503, detail: 'Try again in a moment.' }),
      }),
    );
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Subject').fill('Engine');
    await page.getByLabel('Message').fill('A long message.');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByRole('alert').getByText('Try again in a moment.').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('A long message.');
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada Lovelace');
  });
});

describe('signing in', () => {
  test('a protected screen sends a visitor to the login, and the login back', async () => {
    const page = await open('/setting');
    await page.waitForURL('**/login');
    await page.getByRole('button', { name: 'Login' }).click();
    expect(await errors(page)).toEqual(['Email is Required', 'Password is Required']);
    await page.getByLabel('E-mail').fill('nobody');
    await page.getByLabel('Password').fill('12345');
    await page.getByRole('button', { name: 'Login' }).click();
    expect(await errors(page)).toEqual(['Provide a Valid Email', 'Minimum 6 Characters']);

    await page.getByLabel('E-mail').fill(admin.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByRole('alert').locator('.form-problem').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(admin.email);

    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.waitForURL('**/setting');
    await page.locator('.header__nav').getByRole('link', { name: 'Admin' }).waitFor();
  });

  test('a new customer is welcomed, sees no admin screen, and can sign out', async () => {
    const page = await open('/register');
    expect(await page.locator('h1').textContent()).toBe('Welcome! Register to continue');
    await page.getByLabel('E-mail').fill(`customer-${process.pid}@example.com`);
    await page.getByLabel('Password').fill('a fine long password');
    await page.getByRole('button', { name: 'Register' }).click();
    const nav = page.locator('.header__nav');
    await nav.getByRole('link', { name: 'Dashboard' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await nav.getByRole('link', { name: 'Admin' }).count()).toBe(0);

    await page.goto('/setting', { waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: "You don't have any permission" }).waitFor();
    await page.goto('/login');
    await page.waitForURL('**/dashboard');
    await page.getByRole('heading', { name: 'Welcome to User Dashboard' }).waitFor();
    await page.getByRole('button', { name: 'Signout' }).click();
    await nav.getByRole('link', { name: 'Login' }).waitFor();
  });
});
