import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aboutEditShell } from '#libs/contracts';
import { Session, TestBrowser, testStack, fullTest, sampleEvery } from '#libs/testing';
import { findFaults } from './faults.js';
import { newPerson, openTab, type Person } from './person.js';
import { visit, waitUntilSettled } from './visit.js';

const { url, admin } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

async function open(path: string): Promise<Page> {
  const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
  await visit(page, path);
  return page;
}

async function send(page: Page, button: 'Login' | 'Register', { email, password }: Person) {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: button }).click();
}

const address = (page: Page) => page.evaluate(() => location.pathname + location.search + location.hash);
const headerLink = (page: Page, name: string) => page.locator('.header__nav').getByRole('link', { name });
const errors = (page: Page) => page.locator('.field__error').allTextContents();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id ?? '');

async function letAccessTokenRunOut(page: Page): Promise<void> {
  await page.context().clearCookies({ name: /access_token$/ });
}

describe.each([
  ['Login', '/login'],
  ['Register', '/register'],
] as const)('the %s form', (button, path) => {
  test('names missing and invalid fields, and focuses the first', async () => {
    const page = await open(path);
    await page.getByRole('button', { name: button }).click();
    expect(await errors(page)).toEqual(['Email is Required', 'Password is Required']);
    expect(await focused(page)).toBe('email');
    await send(page, button, { email: 'nobody', password: '12345' });
    expect(await errors(page)).toEqual(['Provide a Valid Email', 'Minimum 6 Characters']);
    const described = await page.getByLabel('E-mail').getAttribute('aria-describedby');
    expect(await page.locator(`#${described}`).textContent()).toBe('Provide a Valid Email');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password').fill('123456');
    expect(await errors(page)).toEqual([]);
  });

  fullTest('keeps its values when the server fails or the connection is lost', async () => {
    const page = await open(path);
    const typed = newPerson();
    await page.route('**/auth/*', (route) => route.abort(), { times: 1 });
    await send(page, button, typed);
    await page.getByRole('alert').getByText('can’t reach the site').waitFor();
    await page.route('**/auth/*', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('alert').getByText('status 502').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(typed.email);
    expect(await page.getByLabel('Password').inputValue()).toBe(typed.password);
  });

  test('is sent once, however often the button is pressed, and shows that it is being sent', async () => {
    const page = await open(path);
    let posts = 0;
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/auth${path}`, async (route) => {
      posts += 1;
      await held;
      await route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ title: 'Unavailable', status: 503, detail: 'Try again in a moment.' }),
      });
    });
    await send(page, button, newPerson());
    const progress = path === '/login' ? 'Signing in' : 'Creating your account';
    await page.locator('form').getByRole('status').getByText(progress).waitFor();
    expect(await page.locator('form').getAttribute('aria-busy')).toBe('true');
    await page.getByRole('button', { name: button }).dblclick({ force: true });
    await page.getByLabel('Password').press('Enter');
    answer();
    await page.getByRole('alert').getByText('Try again in a moment.').waitFor();
    expect(await page.locator('form').getByRole('status').textContent()).toBe('');
    expect(posts).toBe(1);
  });

  fullTest('can be filled in and sent by keyboard only', async () => {
    const page = await open(path);
    const { email, password } = newPerson();
    if (button === 'Login') await Session.register(url, { email, password });
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Tab');
    // The button that shows the password.
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(button);
    await page.keyboard.press('Enter');
    await headerLink(page, 'Dashboard').waitFor();
  });

  fullTest('has no faults when its errors are shown, in light and dark', async () => {
    const page = await open(path);
    await page.getByRole('button', { name: button }).click();
    await page.getByText('Email is Required').waitFor();
    expect(await findFaults(page)).toEqual([]);
  });

  fullTest('redirects signed-in people to the dashboard', async () => {
    const page = await open('/register');
    await send(page, 'Register', newPerson());
    await headerLink(page, 'Dashboard').waitFor();
    await page.goto(path);
    await page.waitForURL('**/dashboard');
    await page.getByRole('heading', { name: 'Welcome to User Dashboard' }).waitFor();
  });
});

fullTest('login and registration have their documented headings and links', async () => {
  const page = await open('/login');
  await page.getByRole('button', { name: 'Login' }).waitFor();
  expect(await page.getByRole('link', { name: 'Forgot password?' }).getAttribute('href')).toBe('/reset');
  await page.locator('main a[href="/register"]').click();
  await page.getByRole('heading', { name: 'Welcome! Register to continue' }).waitFor();
  await page.locator('main a[href="/login"]').click();
  await page.getByRole('heading', { name: 'Login' }).waitFor();
});

test('a wrong password and a taken address are reported', async () => {
  const taken = newPerson();
  await Session.register(url, taken);
  const page = await open('/login');
  await send(page, 'Login', { ...taken, password: 'not the password' });
  await page.getByRole('alert').getByText('The e-mail address or password is incorrect.').waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe(taken.email);
  await visit(page, '/register');
  await send(page, 'Register', taken);
  await page.getByText('An account with this e-mail address already exists.').first().waitFor();
  expect(await focused(page)).toBe('email');
});

describe('after signing in', () => {
  const deepLink = '/order-now/019a0000-0000-7000-8000-00000000dead?plan=Basic&from=%2F%2Fevil.example#form';

  test('login returns to where the redirect began, query and fragment included, also after a reload', async () => {
    const page = await open(deepLink);
    await page.waitForURL('**/login');
    await page.reload();
    await waitUntilSettled(page);
    const person = newPerson();
    await Session.register(url, person);
    await send(page, 'Login', person);
    await page.waitForURL('**/order-now/**');
    expect(await address(page)).toBe(deepLink);
    await page.goBack();
    expect(await address(page)).not.toContain('/login');
  });

  fullTest(
    'registering returns to where the redirect began, even after switching between login and registration',
    async () => {
      const page = await open(deepLink);
      await page.waitForURL('**/login');
      await page.locator('main a[href="/register"]').click();
      await page.waitForURL('**/register');
      await page.locator('main a[href="/login"]').click();
      await page.waitForURL('**/login');
      await page.locator('main a[href="/register"]').click();
      await page.waitForURL('**/register');
      await page.getByRole('heading', { name: 'Welcome! Register to continue' }).waitFor();
      await send(page, 'Register', newPerson());
      await page.waitForURL('**/order-now/**');
      expect(await address(page)).toBe(deepLink);
    },
  );

  fullTest(
    'without a remembered screen, login leads to the dashboard, and registering to the home page',
    async () => {
      const person = newPerson();
      const page = await open('/register');
      await send(page, 'Register', person);
      await headerLink(page, 'Dashboard').waitFor();
      expect(await address(page)).toBe('/');
      const loginPage = await open('/login');
      await send(loginPage, 'Login', person);
      await loginPage.waitForURL('**/dashboard');
    },
  );

  const targets = ['//evil.example/', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)'];
  test.each(sampleEvery(targets.length, targets))('nobody is redirected to %s', async (target) => {
    const encoded = encodeURIComponent(target);
    const page = await open(`/login?from=${encoded}&returnTo=${encoded}&next=${encoded}`);
    // React Router keeps a screen's own state, here `from`, in `usr`.
    await page.evaluate((from) => history.replaceState({ usr: { from }, key: 'k', idx: 0 }, ''), target);
    await page.reload();
    await waitUntilSettled(page);
    const person = newPerson();
    await Session.register(url, person);
    await send(page, 'Login', person);
    await page.waitForURL(`${url}/dashboard`);
  });
});

test('a private screen sends a visitor to the login, which remembers the address', async () => {
  const page = await open('/login');
  // A customer's screen, an admin's, and the one whose path is only an id.
  for (const shell of ['/order-now/:id', '/total-orders', aboutEditShell]) {
    const path = shell.replace(':id', '019a0000-0000-7000-8000-00000000dead');
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForURL('**/login');
    const remembered = await page.evaluate(() => (history.state as { usr?: { from?: string } }).usr?.from);
    expect(remembered).toBe(path);
  }
});

describe('the header', () => {
  fullTest('links admins, but not customers, to the admin screens', async () => {
    const page = await open('/');
    await headerLink(page, 'Login').click();
    await page.getByRole('heading', { name: 'Login' }).waitFor();
    await send(page, 'Login', admin);
    await headerLink(page, 'Admin').waitFor();
    expect(await headerLink(page, 'Login').count()).toBe(0);
    const customerPage = await open('/register');
    await send(customerPage, 'Register', newPerson());
    await headerLink(customerPage, 'Dashboard').waitFor();
    expect(await headerLink(customerPage, 'Admin').count()).toBe(0);
    await visit(customerPage, '/setting');
    await customerPage.getByRole('heading', { name: "You don't have any permission" }).waitFor();
  });

  fullTest('follows a sign-in and a sign-out in another tab, without a reload', async () => {
    const pricing = await open('/pricing/');
    const login = await openTab(pricing, '/login');
    const orders = await openTab(pricing, '/my-order');
    await orders.waitForURL('**/login');
    await headerLink(pricing, 'Login').waitFor();
    await send(login, 'Login', admin);
    await headerLink(login, 'Admin').waitFor();
    await headerLink(pricing, 'Admin').waitFor();
    await headerLink(pricing, 'Dashboard').waitFor();
    await orders.waitForURL('**/my-order');

    await login.goto('/dashboard');
    await login.getByRole('button', { name: 'Signout' }).click();
    await headerLink(login, 'Login').waitFor();
    await headerLink(pricing, 'Login').waitFor();
    expect(await address(pricing)).toBe('/pricing/');
    await orders.waitForURL('**/login');
    // The cookie `device` distinguishes a known browser from a new one, and does not sign anybody in.
    expect((await pricing.context().cookies()).map(({ name }) => name)).toEqual(['device']);
  });

  fullTest('notices that the session has ended elsewhere, once the tab becomes visible', async () => {
    const page = await open('/register');
    const person = newPerson();
    await send(page, 'Register', person);
    await headerLink(page, 'Dashboard').waitFor();
    await visit(page, '/dashboard');
    await page.context().clearCookies();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.waitForURL('**/login');
    await headerLink(page, 'Login').waitFor();
  });
});

describe('a session', () => {
  fullTest(
    'with an expired access token is renewed in two tabs at the same time, and both stay signed in',
    async () => {
      const first = await open('/register');
      await send(first, 'Register', newPerson());
      await headerLink(first, 'Dashboard').waitFor();
      const second = await openTab(first, '/');
      const refreshed: number[] = [];
      first.context().on('response', (response) => {
        if (response.url().endsWith('/auth/refresh')) refreshed.push(response.status());
      });
      for (let round = 0; round < 3; round += 1) {
        await letAccessTokenRunOut(first);
        // Both requests are sent before either is answered.
        let release = () => {};
        const both = new Promise<void>((resolve) => (release = resolve));
        let asked = 0;
        await first.context().route('**/auth/refresh', async (route) => {
          const headers = await route.request().allHeaders();
          if ((asked += 1) === 2) release();
          await both;
          // Unlike `continue`, `fetch` sends the cookies from `headers`, so both requests have the same refresh token.
          await route.fulfill({ response: await route.fetch({ headers }) });
        });
        await Promise.all([first.goto('/dashboard'), second.goto('/dashboard')]);
        for (const tab of [first, second]) {
          await tab.getByRole('heading', { name: 'Welcome to User Dashboard' }).waitFor();
        }
        await first.context().unroute('**/auth/refresh');
      }
      expect(refreshed).toEqual([200, 200, 200, 200, 200, 200]);
    },
  );

  test('with an expired access token opens a screen: the call is repeated with a new token', async () => {
    const page = await open('/register');
    await send(page, 'Register', newPerson());
    await headerLink(page, 'Dashboard').waitFor();
    await letAccessTokenRunOut(page);
    await visit(page, '/dashboard');
    await page.getByRole('heading', { name: 'Welcome to User Dashboard' }).waitFor();
    expect((await page.context().cookies()).map(({ name }) => name).sort()).toEqual([
      'access_token',
      'device',
      'refresh_token',
      'signed_in',
    ]);
  });

  fullTest('survives an outage: the screen opens when the server answers again', async () => {
    const page = await open('/register');
    await send(page, 'Register', newPerson());
    await headerLink(page, 'Dashboard').waitFor();
    let down = true;
    await page.route('**/auth/me', (route) => (down ? route.fulfill({ status: 503 }) : route.continue()));
    await page.goto('/dashboard');
    await page.getByRole('alert').getByText('status 503').waitFor();
    down = false;
    await page.getByRole('heading', { name: 'Welcome to User Dashboard' }).waitFor();
  });
});
