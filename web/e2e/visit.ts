import type { Page, Response } from 'playwright-core';

/** Opens a page, and waits until a person could use it. */
export async function visit(page: Page, path: string): Promise<Response | null> {
  const response = await page.goto(path);
  await settled(page);
  return response;
}

/** Nothing on the page stands in for what is still on its way, and the application has taken over what is there. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // React marks each element that it knows the properties of.
    const isTakenOver = (element: Element) =>
      Object.keys(element).some((key) => key.startsWith('__reactProps'));
    const content = [...document.querySelectorAll('main h1, main a, main button, main input')];
    const waits = document.querySelector('.waiting, [aria-busy="true"]');
    return document.readyState === 'complete' && !waits && content.length > 0 && content.every(isTakenOver);
  });
}
