import type { Browser, BrowserContext, Page } from 'playwright-core';
import { patienceMs } from './eventually.js';

export interface PageOptions {
  /** Size of the window, in CSS pixels. Default 1280 × 800. */
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
  reducedMotion?: 'reduce' | 'no-preference';
  /** False to open the page without JavaScript. */
  javaScript?: boolean;
  /** Base of relative addresses in `page.goto`. */
  baseURL?: string;
}

/** Flags for a container, in which root cannot use the sandbox, and against requests in the background. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A Chromium for one spec file. Open it in `beforeAll` and close it in `afterAll`. */
export class TestBrowser {
  private readonly contexts: BrowserContext[] = [];

  private constructor(private readonly browser: Browser) {}

  static async open(): Promise<TestBrowser> {
    const executablePath = process.env.CHROME_PATH;
    if (!executablePath) {
      throw new Error('No Chromium: run `npm test`, which installs one, or set CHROME_PATH.');
    }
    // Imported here, because most specs need no browser.
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({
      executablePath,
      headless: true,
      // Pages live too briefly for optimized code or V8's threads to pay off: without both, Chromium takes a seventh less CPU time.
      args: [...chromiumFlags, '--js-flags=--no-opt --no-maglev --single-threaded'],
    });
    return new TestBrowser(browser);
  }

  /** Opens a page with its own cookies and cache. */
  async openPage(options: PageOptions = {}): Promise<Page> {
    const { width = 1280, height = 800, colorScheme, reducedMotion, javaScript = true, baseURL } = options;
    const context = await this.browser.newContext({
      viewport: { width, height },
      javaScriptEnabled: javaScript,
      ...(colorScheme && { colorScheme }),
      ...(reducedMotion && { reducedMotion }),
      ...(baseURL && { baseURL }),
    });
    context.setDefaultTimeout(patienceMs);
    this.contexts.push(context);
    return context.newPage();
  }

  async close(): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.close()));
    await this.browser.close();
  }
}
