import type { Page } from 'playwright-core';

/** Presses Tab until the element with this `aria-label`, text or `name` has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 120; step += 1) {
    await page.keyboard.press('Tab');
    const names = await page.evaluate(() => {
      const focused = document.activeElement;
      return [focused?.getAttribute('aria-label'), focused?.textContent, focused?.getAttribute('name')];
    });
    if (names.includes(name)) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}
