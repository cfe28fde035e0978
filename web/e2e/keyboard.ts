import type { Page } from 'playwright-core';

export async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let step = 0; step < 120; step += 1) {
    await page.keyboard.press('Tab');
    const names = await page.evaluate(() => {
      const focused = document.activeElement;
      return [focused?.getAttribute('aria-label'), focused?.textContent, focused?.getAttribute('name')];
    });
    if (names.includes(wanted)) return;
  }
  throw new Error(`Tab does not reach ${wanted}.`);
}
