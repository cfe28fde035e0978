import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** A theme changes nothing but colours: in the second one only what is about them can differ. */
const themes = [
  { colorScheme: 'light', options: { resultTypes: ['violations'] } },
  {
    colorScheme: 'dark',
    options: {
      resultTypes: ['violations'],
      runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
    },
  },
] as const;

/** What is wrong with how a page is built or laid out, in light and in dark, as lines. Nothing, if all is well. */
export async function faults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { colorScheme, options } of themes) {
    await page.emulateMedia({ colorScheme });
    await transitionsEnd(page);
    // Half a megabyte: once for each document.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
    const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ html }) => `${colorScheme}: ${id}: ${html.slice(0, 160)}`));
  }
  const headings = await page.locator('h1').count();
  if (headings !== 1) found.push(`has ${headings} h1`);
  return [...found, ...(await sidewaysScroll(page))];
}

/** A colour on its way from one theme to the other is none of either. */
async function transitionsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // The styles of the theme are worked out, and so its transitions begun, with the next frame.
    await new Promise(requestAnimationFrame);
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}

/** Whether a page is wider than its window, as a line that says so. */
export async function sidewaysScroll(page: Page): Promise<string[]> {
  const by = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return by > 0 ? [`scrolls sideways by ${by} px`] : [];
}
