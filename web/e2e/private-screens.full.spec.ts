import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aboutEditShell, privateShells } from '#libs/contracts';
import { TestBrowser, testStack } from '#libs/testing';

const { url } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

test.each([...privateShells, aboutEditShell])(
  '%s sends a visitor to the login, and is remembered',
  async (shell) => {
    const page = await browser.openPage({ baseURL: url });
    const path = shell.replace(':id', '019a0000-0000-7000-8000-00000000dead');
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForURL('**/login');
    const remembered = await page.evaluate(() => (history.state as { usr?: { from?: string } }).usr?.from);
    expect(remembered).toBe(path);
    await page.context().close();
  },
);
