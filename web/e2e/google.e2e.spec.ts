import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestBrowser, testStack, fullTest } from '#libs/testing';
import { GoogleStandIn } from '../../dev/stand-ins/google/client.js';
import { chooseGoogleAccount, getPackage, pathOf } from './person.js';

const { url, google: standIn } = testStack();
const google = GoogleStandIn.at(standIn!.url);

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

let accountCount = 0;
const newAccount = () => {
  accountCount += 1;
  return { email: `google-${process.pid}-${Date.now()}-${accountCount}@example.com`, name: 'Ada Lovelace' };
};

describe('Join With Google', () => {
  test('leads a visitor from the login back to the order form, with the account’s e-mail address filled in', async () => {
    const { _id: packageId } = await getPackage('Basic');
    const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
    await page.goto(`/order-now/${packageId}`);
    await page.waitForURL('**/login');
    const person = newAccount();
    await page.getByRole('link', { name: 'Join With Google' }).click();
    await chooseGoogleAccount(page, person);
    await page.waitForURL(`**/order-now/${packageId}`);
    await page.getByRole('heading', { name: 'SEO Plan' }).waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(person.email);
    const cookies = await page.context().cookies();
    expect(cookies.find(({ name }) => name === 'google_sign_in')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
    });
    expect(await page.evaluate(() => document.cookie)).toBe('signed_in=1');
  });

  fullTest(
    'cancelling returns to the login with a message, and signing in then leads to the original screen',
    async () => {
      const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
      await page.goto('/my-order');
      await page.waitForURL('**/login');
      await page.getByRole('link', { name: 'Join With Google' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page
        .getByRole('alert')
        .getByText('You didn’t finish signing in with Google. Try again.')
        .waitFor();
      expect(page.url()).toBe(`${url}/login`);
      await page.getByRole('link', { name: 'Join With Google' }).click();
      await chooseGoogleAccount(page, newAccount());
      await page.waitForURL('**/my-order');
    },
  );

  fullTest('the callback of a sign-in that began in another browser signs nobody in', async () => {
    const attacker = await browser.openPage({ baseURL: url });
    await attacker.goto('/register');
    const [, redirect] = await Promise.all([
      attacker.getByRole('link', { name: 'Join With Google' }).click(),
      attacker.waitForResponse((response) => response.url().includes('/auth/google?')),
    ]);
    const callback = await google.choose((await redirect.headerValue('location'))!, newAccount());
    const victim = await browser.openPage({ baseURL: url });
    await victim.goto(callback.href);
    await victim.getByRole('alert').getByText('in another browser').waitFor();
    expect(pathOf(victim)).toBe('/login');
    const names = (await victim.context().cookies()).map(({ name }) => name);
    // Over HTTPS, the cookies' names have a prefix.
    expect(names.filter((name) => /(access|refresh)_token$/.test(name))).toEqual([]);
  });
});
