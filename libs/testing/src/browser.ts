import type { Browser, BrowserContext, Page } from 'playwright-core';
import { patienceMs } from './eventually.js';

export interface PageOptions {
  /** In CSS pixels. Default 1280 × 800. */
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
  reducedMotion?: 'reduce' | 'no-preference';
  javaScript?: boolean;
  baseURL?: string;
}

/** In a container, root cannot use the sandbox, there is no GPU, and `/dev/shm` is small. The last four flags stop requests in the background. */
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

/** For one spec file. Open it in `beforeAll` and close it in `afterAll`. */
export class TestBrowser {
  private readonly contexts: BrowserContext[] = [];

  private constructor(private readonly browser: Browser) {}

  static async open(): Promise<TestBrowser> {
    const executablePath = process.env.CHROME_PATH;
    if (!executablePath) {
      throw new Error('No Chromium: run `npm test`, which installs one, or set CHROME_PATH.');
    }
    // Loaded only here, because most specs need no browser.
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({
      executablePath,
      headless: true,
      // Pages live too briefly to gain from optimized code or V8's threads: without both, Chromium takes a seventh less CPU time.
      args: [...chromiumFlags, '--js-flags=--no-opt --no-maglev --single-threaded'],
    });
    return new TestBrowser(browser);
  }

  /** Each page has its own cookies and cache. */
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
