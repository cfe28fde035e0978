import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { isFullRun, sampleEvery } from '#libs/testing';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** A theme changes colours only, so the second one needs fewer checks. */
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

/** Screens that were checked. Each spec file has its own browser. */
const checkedScreens = new WeakMap<Browser, Set<string>>();

/**
 * Faults of accessibility, sideways scrolling, and a number of h1 other than one. `npm test` checks the accessibility of a screen or dialog once for
 * each spec file, in the light theme. `npm run test:full` checks it every time, in both themes.
 */
export async function findFaults(page: Page): Promise<string[]> {
  const isDue = await registerScreen(page);
  const found = isDue ? await findAccessibilityFaults(page) : [];
  const headings = await page.locator('h1').count();
  if (headings !== 1) found.push(`has ${headings} h1`);
  return [...found, ...(await findSidewaysScroll(page))];
}

/** Returns whether the screen still needs its check. */
async function registerScreen(page: Page): Promise<boolean> {
  if (isFullRun) return true;
  const screen = await page.evaluate(() => {
    const path = location.pathname.replaceAll(/[\w-]{32,}|\d+/g, ':id');
    return `${path} ${document.querySelector('dialog[open] h2')?.textContent ?? ''}`;
  });
  const browser = page.context().browser()!;
  const screens = checkedScreens.get(browser) ?? new Set();
  checkedScreens.set(browser, screens);
  const isNew = !screens.has(screen);
  screens.add(screen);
  return isNew;
}

async function findAccessibilityFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { colorScheme, options } of sampleEvery(2, themes)) {
    await page.emulateMedia({ colorScheme });
    await waitForTransitions(page);
    // axe is half a megabyte, so it is loaded once per document.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
    const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ html }) => `${colorScheme}: ${id}: ${html.slice(0, 160)}`));
  }
  return found;
}

export async function findFaultsAndPhoneOverflow(page: Page): Promise<string[]> {
  const found = await findFaults(page);
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  found.push(...(await findSidewaysScroll(page)));
  await page.setViewportSize(size);
  return found;
}

/** During a transition, colours belong to neither theme. When the transition of an element ends, transitions inside it may start. */
async function waitForTransitions(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (;;) {
      // The theme's transitions start in the next frame.
      await new Promise(requestAnimationFrame);
      const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
      if (transitions.length === 0) return;
      await Promise.allSettled(transitions.map(({ finished }) => finished));
    }
  });
}

export async function findSidewaysScroll(page: Page): Promise<string[]> {
  const by = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return by > 0 ? [`scrolls sideways by ${by} px`] : [];
}
