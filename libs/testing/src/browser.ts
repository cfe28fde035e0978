import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface PageOptions {
  /** Of the window, in CSS pixels. Default 1280 × 800. */
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
  reducedMotion?: 'reduce' | 'no-preference';
  /** Off to see what a reader without JavaScript sees. */
  javaScript?: boolean;
  /** Relative addresses in `page.goto` start from it. */
  baseURL?: string;
}

/** A Chromium for one spec file: open it in `beforeAll`, close it in `afterAll`. */
export class TestBrowser {
  private readonly contexts: BrowserContext[] = [];

  private constructor(private readonly browser: Browser) {}

  static async open(): Promise<TestBrowser> {
    const executablePath = process.env.CHROME_PATH;
    if (!executablePath) {
      throw new Error('No Chromium: `npm test` installs one; else install it, or set CHROME_PATH.');
    }
    // Loaded only here: most specs need no browser.
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({
      executablePath,
      headless: true,
      // The browser asks nobody but the site; --no-sandbox because root may not use the sandbox.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-dev-shm-usage',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    return new TestBrowser(browser);
  }

  /** A page with cookies and cache of its own. */
  async openPage(options: PageOptions = {}): Promise<Page> {
    const { width = 1280, height = 800, colorScheme, reducedMotion, javaScript = true, baseURL } = options;
    const context = await this.browser.newContext({
      viewport: { width, height },
      javaScriptEnabled: javaScript,
      ...(colorScheme && { colorScheme }),
      ...(reducedMotion && { reducedMotion }),
      ...(baseURL && { baseURL }),
    });
    this.contexts.push(context);
    return context.newPage();
  }

  async close(): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.close()));
    await this.browser.close();
  }
}
