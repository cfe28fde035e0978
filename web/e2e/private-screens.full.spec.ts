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

const withAddress = (shell: string) =>
  [shell, shell.replace(':section', 'terms').replace(':id', '019a0000-0000-7000-8000-00000000dead')] as const;
const adminScreens = [...adminShells, aboutEditShell].map(withAddress);

test.each([...accountShells.map(withAddress), ...adminScreens])(
  '%s sends a visitor to the login, which remembers the address',
  async (_shell, path) => {
    const page = await browser.openPage({ baseURL: url });
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForURL('**/login');
    const remembered = await page.evaluate(() => (history.state as { usr?: { from?: string } }).usr?.from);
    expect(remembered).toBe(path);
    await page.context().close();
  },
);

test('no admin screen shows anything to a customer', async () => {
  const { page } = await openPageAs(browser, newPerson());
  for (const [shell, path] of adminScreens) {
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: /^$/ }).first().waitFor();
    expect([shell, await page.locator('main h1').textContent()]).toEqual([
      shell,
      "You don't have any permission",
    ]);
  }
});
