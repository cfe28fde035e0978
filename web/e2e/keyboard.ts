import type { Page } from 'playwright-core';

/** Moves the focus with Tab to an element with this text, at most `steps` times. */
export async function tabTo(page: Page, name: string, steps = 120): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    if (focused === name) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}
