import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { TestBrowser, testStack } from '#libs/testing';
import { findSidewaysScroll } from './faults.js';
import { newPerson, openPageAs } from './person.js';

const { url } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

/** A page’s errors, in the console or uncaught, and its requests to other origins. */
function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== url) problems.push(request.url());
  });
  return problems;
}

async function openReference(page: Page, operation = ''): Promise<void> {
  await page.goto(`/docs#${operation}`);
  await page.getByRole('heading', { level: 1, name: 'SEO services platform' }).waitFor();
}

async function tryOut(page: Page, path: string): Promise<number> {
  const name = new RegExp(`^Test Request ?\\(get ${path}\\)$`);
  await page.getByRole('button', { name }).click();
  const answer = page.waitForResponse((response) => new URL(response.url()).pathname === path);
  await page.getByRole('button', { name: /Send get request to/ }).click();
  return (await answer).status();
}

test('calls are explained and tried out with the session of the browser, without a request to another origin', async () => {
  const { page } = await openPageAs(browser, newPerson());
  const problems = collectProblems(page);
  await openReference(page, 'tag/content-banners/GET/banner');
  await page.getByRole('heading', { name: 'The banner, as a list of at most one' }).waitFor();
  expect(await tryOut(page, '/banner')).toBe(200);
  await page.getByRole('button', { name: 'Close Client' }).click();
  await openReference(page, 'tag/signing-in/GET/auth/me');
  expect(await tryOut(page, '/auth/me')).toBe(200);
  expect(problems).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await findSidewaysScroll(page)).toEqual([]);
});

test('a visitor tries out a call', async () => {
  const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
  const problems = collectProblems(page);
  await openReference(page, 'tag/content-banners/GET/banner');
  expect(await tryOut(page, '/banner')).toBe(200);
  expect(problems).toEqual([]);
});

test('the API reference also fits when it is opened on a phone', async () => {
  const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce', width: 390, height: 844 });
  await openReference(page);
  expect(await findSidewaysScroll(page)).toEqual([]);
});

test('without JavaScript, the page links to the OpenAPI document, and explains an error', async () => {
  const page = await browser.openPage({ baseURL: url, javaScript: false });
  await page.goto('/docs#VERSION_MISMATCH');
  expect(await page.locator('noscript p').isVisible()).toBe(true);
  expect(await page.locator('p:target').textContent()).toContain('VERSION_MISMATCH, status 412');
  expect(await page.locator('section p:visible').count()).toBe(1);
  await page.locator('noscript').getByRole('link', { name: 'OpenAPI document' }).click();
  expect(new URL(page.url()).pathname).toBe('/openapi.json');
});
