import type { Page } from 'playwright-core';

/** Presses Tab, at most `steps` times, until an element with this text has the focus. */
export async function tabTo(page: Page, text: string, steps = 120): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    if (focused === text) return;
  }
  throw new Error(`Tab does not reach ${text}.`);
}
