import type { Page, Response } from 'playwright-core';

export async function visit(page: Page, path: string): Promise<Response | null> {
  const response = await page.goto(path);
  await waitUntilSettled(page);
  return response;
}

/** Waits until the page is hydrated and no placeholder is left. */
export async function waitUntilSettled(page: Page): Promise<void> {
  const isSettled = () => {
    // React adds its own property to each hydrated element.
    const isHydrated = (element: Element) =>
      Object.keys(element).some((key) => key.startsWith('__reactProps'));
    const content = [...document.querySelectorAll('main h1, main a, main button, main input')];
    const placeholder = document.querySelector('.waiting, [aria-busy="true"]');
    return (
      document.readyState === 'complete' && !placeholder && content.length > 0 && content.every(isHydrated)
    );
  };
  // By default, Playwright checks in every animation frame, which slows the page down.
  await page.waitForFunction(isSettled, undefined, { polling: 50 });
}
