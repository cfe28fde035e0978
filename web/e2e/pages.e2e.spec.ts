import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type PageOptions, TestBrowser, testStack, sampleEvery, fullTest } from '#libs/testing';
import { plainText } from '../src/lib/formatted-text.js';
import { findFaults } from './faults.js';
import { visit, waitUntilSettled } from './visit.js';

const { url } = testStack();

const pagePaths = ['/', '/pricing/', '/service/', '/contact', '/contact-us', '/terms', '/privacy'];
const pathsWithoutSignIn = [...pagePaths, '/login', '/register', '/nowhere'];
const sizes = [
  { name: 'desktop', width: 1440, height: 900 },
  { name: 'narrow phone', width: 320, height: 640 },
];

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(async () => {
  await browser.close();
});

/** Opens a page. Records its errors, its console warnings and its requests to other sites. */
async function open(options: PageOptions = {}) {
  const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce', ...options });
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      problems.push(`${message.location().url}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== url) problems.push(`asked ${request.url()}`);
  });
  return { page, problems };
}

describe.each(sampleEvery(2, sizes))('on a $name', ({ width, height }) => {
  test.each(sampleEvery(2, pathsWithoutSignIn))('%s has no faults', async (path) => {
    const { page, problems } = await open({ width, height });
    const response = await visit(page, path);
    const exists = path !== '/nowhere';
    expect(response?.status()).toBe(exists ? 200 : 404);
    expect(await findFaults(page)).toEqual([]);
    // The browser itself reports the 404 of the document.
    expect(problems.filter((line) => exists || !line.startsWith(`${url}/nowhere`))).toEqual([]);
    await page.context().close();
  });
});

fullTest('with reduced motion, a change of the theme is not animated', async () => {
  const { page } = await open({ colorScheme: 'dark' });
  await visit(page, '/');
  const transitions = await page.evaluateHandle(() => {
    const properties = new Set<string>();
    document.addEventListener('transitionrun', ({ propertyName }) => properties.add(propertyName));
    return properties;
  });
  const textColor = () => page.evaluate(() => getComputedStyle(document.body).color);
  const dark = await textColor();
  await page.emulateMedia({ colorScheme: 'light' });
  await eventually(async () => expect(await textColor()).not.toBe(dark));
  // The event of a transition arrives one frame after the transition starts.
  const animated = await transitions.evaluate(async (properties) => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return [...properties];
  });
  expect(animated).toEqual([]);
  await page.context().close();
});

test('the landing page’s JavaScript is at most 95 kB, compressed with gzip', async () => {
  const { page } = await open();
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response.body());
  });
  await visit(page, '/');
  const bytes = (await Promise.all(scripts)).map((script) => gzipSync(script, { level: 9 }).length);
  const total = bytes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThanOrEqual(95_000);
});

describe('without JavaScript', () => {
  /** Fields that are not text for visitors: addresses, and a record’s id, version and times. */
  const notText = /(Link|Img|Image|Icon|link|image|logo)$|^_id$|^(version|createdAt|updatedAt)$/;
  const wherePrinted: Record<string, string> = {
    pricingPackage: '/pricing/',
    paymentText: '/pricing/',
    callToAction: '/service/',
    videoSection: '/service/',
    teamMember: '/service/',
    contactDetail: '/contact',
    terms: '/terms',
    privacy: '/privacy',
  };
  /** No page shows design items. Page titles are in the head. */
  const notPrintedSections = new Set(['designItem', 'pageTitle']);
  /** Steps get their titles from `workSection` and their numbers from the page. Prices are printed in another format. */
  const notPrintedFields = new Set(['stepTitle', 'stepNumber', 'packagePrice']);
  const onServicePage = /^aboutDetails$|^aboutPoint/;

  test('every demo text is on its page', async () => {
    const { page } = await open({ javaScript: false });
    const answer = await fetch(`${url}/site-content`, { headers: { accept: 'application/json' } });
    const { sections } = (await answer.json()) as { sections: Record<string, Record<string, string>[]> };
    const expected = Object.entries(sections).flatMap(([name, records]) =>
      notPrintedSections.has(name)
        ? []
        : records.flatMap((record) =>
            Object.entries(record)
              .filter(([field]) => !notText.test(field) && !notPrintedFields.has(field))
              // The footer prints the text of `footerAbout` instead.
              .filter(([field]) => !(name === 'footerSocial' && field === 'aboutText'))
              .map(([field, text]) => ({
                path: onServicePage.test(field) ? '/service/' : (wherePrinted[name] ?? '/'),
                field: `${name}.${field}`,
                text,
              })),
          ),
    );
    expect(expected.length).toBeGreaterThan(120);
    // The legal texts contain Markdown, which `plainText` removes.
    const squeezed = (text: string) => plainText(text).replace(/\s+/g, '');
    for (const path of new Set(expected.map((item) => item.path))) {
      await page.goto(path);
      const printed = ((await page.locator('body').textContent()) ?? '').replace(/\s+/g, '');
      const missing = expected.filter((item) => item.path === path && !printed.includes(squeezed(item.text)));
      expect(missing).toEqual([]);
    }
  });

  test('a question opens, a testimonial can be chosen, and the menu works', async () => {
    const { page } = await open({ javaScript: false, width: 390, height: 844 });
    await page.goto('/');
    await page.locator('.question summary').first().click();
    expect(await page.locator('.question p').first().isVisible()).toBe(true);
    await page.locator('.quotes__portrait').nth(2).click();
    expect(await page.locator('.quote').nth(2).isVisible()).toBe(true);
    expect(await page.locator('.quote').first().isVisible()).toBe(false);
    await page.locator('.menu__button').click();
    await page.locator('.menu__panel').getByRole('link', { name: 'Pricing' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pricing', exact: true }).waitFor();
  });

  test.each(['/dashboard', '/admin', '/pay-now/x', '/all-messages'])(
    '%s says that it needs JavaScript, and does not show that it is loading',
    async (path) => {
      const { page } = await open({ javaScript: false });
      await page.goto(path);
      // By class, because text locators leave out <noscript>.
      expect(await page.locator('.without-script').innerText()).toMatch(/^This page needs JavaScript\./);
      expect(await page.locator('.waiting .ladder').isVisible()).toBe(false);
    },
  );
});

describe('by keyboard', () => {
  test('the first tab stop skips to the content', async () => {
    const { page } = await open();
    await visit(page, '/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const inMain = await page.evaluate(() => document.activeElement?.closest('main') !== null);
    expect(inMain).toBe(true);
  });

  fullTest('a question opens and closes', async () => {
    const { page } = await open();
    await visit(page, '/');
    const answer = page.locator('.question p').first();
    await page.locator('.question summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await answer.isVisible()).toBe(true);
    await page.keyboard.press('Space');
    expect(await answer.isVisible()).toBe(false);
  });

  fullTest('the arrow keys choose a testimonial', async () => {
    const { page } = await open();
    await visit(page, '/');
    await page.locator('.quotes__choice').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.quote').nth(1).waitFor({ state: 'visible' });
    expect(await page.locator('.quote').first().isVisible()).toBe(false);
  });

  test('the menu of a phone opens, closes on Escape, and is closed on the next page', async () => {
    const { page } = await open({ width: 390, height: 844 });
    await visit(page, '/');
    const panel = page.locator('.menu__panel');
    await page.locator('.menu__button').focus();
    await page.keyboard.press('Enter');
    expect(await panel.isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await panel.isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('menu__button');
    await page.keyboard.press('Enter');
    await panel.getByRole('link', { name: 'Contact' }).press('Enter');
    await page.getByRole('heading', { name: 'Get In Touch' }).waitFor();
    await page.locator('.menu__panel').waitFor({ state: 'hidden' });
  });
});

describe('moving between pages', () => {
  test('requests the content of all pages once, and sets title, canonical address and focus', async () => {
    const { page, problems } = await open();
    await visit(page, '/');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.evaluate(() => Object.assign(window, { stillHere: true }));
    await page.locator('.header__nav').getByRole('link', { name: 'Pricing' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor();
    await page.waitForFunction(() => document.title.startsWith('Pricing | '));
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${url}/pricing/`);
    // The link preview and the structured data describe the first page only, so the browser has removed them.
    expect(await page.locator('meta[property], script[type="application/ld+json"]').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.locator('footer').getByRole('link', { name: 'Contact Us' }).click();
    await page.getByRole('heading', { level: 1, name: 'Get In Touch' }).waitFor();
    await page.waitForFunction(() => window.scrollY === 0);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor();
    expect(await page.evaluate(() => 'stillHere' in window)).toBe(true);
    expect(asked.filter((path) => !/^\/(assets|demo)\/|^\/favicon/.test(path))).toEqual(['/site-content']);
    expect(problems).toEqual([]);
  });

  test('keeps the page visible until the content of the next one has loaded', async () => {
    const { page } = await open();
    await visit(page, '/');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/site-content', async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('.header__nav').getByRole('link', { name: 'Pricing' }).click();
    await page.locator('main[aria-busy="true"]').waitFor();
    expect(await page.locator('.banner').isVisible()).toBe(true);
    // Pointing at the link of a page that is already loaded does not remove `aria-busy`.
    await page.locator('header').getByRole('link', { name: 'Home' }).first().hover();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(await page.locator('main').getAttribute('aria-busy')).toBe('true');
    release();
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Premium' }).isVisible()).toBe(true);
  });

  fullTest('loads the whole page from the server when its content cannot be read', async () => {
    const { page } = await open();
    await visit(page, '/');
    await page.route('**/site-content', (route) => route.fulfill({ status: 503 }));
    await page.evaluate(() => Object.assign(window, { stillHere: true }));
    await page.locator('.header__nav').getByRole('link', { name: 'Pricing' }).click();
    await page.getByRole('heading', { name: 'Premium' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/pricing/');
    expect(await page.evaluate(() => 'stillHere' in window)).toBe(false);
  });

  fullTest('shows that a slow page is loading, without a layout shift when it arrives', async () => {
    const { page } = await open();
    await visit(page, '/');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/assets\/pricing.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('.header__nav').getByRole('link', { name: 'Pricing' }).click();
    await page.locator('main[aria-busy="true"]').waitFor();
    expect(await page.locator('.banner').isVisible()).toBe(true);
    const shifts = await page.evaluateHandle(() => {
      const seen: string[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number;
          sources: { node: Element | null }[];
        })[])
          seen.push(`${entry.value}: ${entry.sources.map(({ node }) => node?.className).join()}`);
      }).observe({ type: 'layout-shift' });
      return seen;
    });
    release();
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor();
    await waitUntilSettled(page);
    expect(await shifts.jsonValue()).toEqual([]);
  });

  test('shows ‘Page not found’ at an unknown address', async () => {
    const { page } = await open();
    const response = await page.goto('/some/where/else');
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.locator('.banner').waitFor();
  });

  fullTest('works from an address whose fragment cannot be decoded', async () => {
    const { page, problems } = await open();
    await visit(page, '/#50%');
    await page.locator('.header__nav').getByRole('link', { name: 'Pricing' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor();
    expect(problems).toEqual([]);
  });
});
