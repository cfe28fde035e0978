import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aboutEditShell, accountShells, adminShells } from '#libs/contracts';
import { TestBrowser, testStack } from '#libs/testing';
import { newPerson, openPageAs } from './person.js';

const { url } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

const withPath = (pattern: string) =>
  [
    pattern,
    pattern.replace(':section', 'terms').replace(':id', '019a0000-0000-7000-8000-00000000dead'),
  ] as const;
const adminScreens = [...adminShells, aboutEditShell].map(withPath);

test.each([...accountShells.map(withPath), ...adminScreens])(
  '%s sends a visitor to the login, which remembers the address',
  async (_pattern, path) => {
    const page = await browser.openPage({ baseURL: url });
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForURL('**/login');
    const remembered = await page.evaluate(() => (history.state as { usr?: { from?: string } }).usr?.from);
    expect(remembered).toBe(path);
    await page.context().close();
  },
);

test('instead of each admin screen, a customer sees that they have no permission', async () => {
  const { page } = await openPageAs(browser, newPerson());
  for (const [pattern, path] of adminScreens) {
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: /^$/ }).first().waitFor();
    expect([pattern, await page.locator('main h1').textContent()]).toEqual([
      pattern,
      "You don't have any permission",
    ]);
  }
});
