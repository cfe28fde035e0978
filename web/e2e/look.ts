import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { isFullRun, sampleFor } from '#libs/testing';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** A theme changes colours only, so the second one needs fewer checks, and only `npm run test:full` looks at it. */
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

/** The screens that axe has examined in each browser. Each spec file has a browser of its own. */
const examined = new WeakMap<Browser, Set<string>>();

/**
 * The layout and accessibility faults of a page, in each theme, one per line. Empty if there are none. `npm test` examines the accessibility
 * of each screen and dialog once in each spec file, `npm run test:full` in each state that a spec asks for.
 */
export async function faults(page: Page): Promise<string[]> {
  const found = (await needsExamination(page)) ? await accessibilityFaults(page) : [];
  const headings = await page.locator('h1').count();
  if (headings !== 1) found.push(`has ${headings} h1`);
  return [...found, ...(await sidewaysScroll(page))];
}

async function needsExamination(page: Page): Promise<boolean> {
  if (isFullRun) return true;
  const screen = await page.evaluate(() => {
    const path = location.pathname.replaceAll(/[0-9a-f]{24}|[\w-]{32,}|\d+/g, ':id');
    return `${path} ${document.querySelector('dialog[open] h2')?.textContent ?? ''}`;
  });
  const browser = page.context().browser()!;
  const screens = examined.get(browser) ?? new Set();
  examined.set(browser, screens);
  const isNew = !screens.has(screen);
  screens.add(screen);
  return isNew;
}

async function accessibilityFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { colorScheme, options } of sampleFor(0, themes, 2)) {
    await page.emulateMedia({ colorScheme });
    await transitionsEnd(page);
    // Half a megabyte, so it is loaded once per document.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
    const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ html }) => `${colorScheme}: ${id}: ${html.slice(0, 160)}`));
  }
  return found;
}

/** The faults of a page, and whether it is too wide for a phone. */
export async function faultsAlsoOnAPhone(page: Page): Promise<string[]> {
  const found = await faults(page);
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  found.push(...(await sidewaysScroll(page)));
  await page.setViewportSize(size);
  return found;
}

/** During a transition, colours belong to neither theme. When one ends, transitions of the elements inside may start. */
async function transitionsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (;;) {
      // The theme's styles are computed, and its transitions started, in the next frame.
      await new Promise(requestAnimationFrame);
      const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
      if (transitions.length === 0) return;
      await Promise.allSettled(transitions.map(({ finished }) => finished));
    }
  });
}

/** A line if the page is wider than its window; otherwise empty. */
export async function sidewaysScroll(page: Page): Promise<string[]> {
  const by = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return by > 0 ? [`scrolls sideways by ${by} px`] : [];
}
