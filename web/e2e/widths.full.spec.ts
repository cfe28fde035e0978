import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestBrowser, testStack } from '#libs/testing';
import { findFaults } from './faults.js';
import { visit } from './visit.js';

const { url } = testStack();
const paths = [
  '/',
  '/pricing/',
  '/service/',
  '/contact',
  '/terms',
  '/privacy',
  '/login',
  '/register',
  '/nowhere',
];
/** 640 is a window of 1280 pixels at 200% zoom. */
const widths = [320, 360, 390, 480, 640, 768, 896, 1024, 1280, 1440, 1920, 2560];

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(async () => {
  await browser.close();
});

describe.each(widths)('%i pixels wide', (width) => {
  test.each(paths)('%s fits, and passes axe in light and dark', async (path) => {
    const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce', width, height: 800 });
    await visit(page, path);
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });
});
