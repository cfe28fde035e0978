export { default as lighthouse } from 'lighthouse';
export { default as desktopConfig } from 'lighthouse/core/config/desktop-config.js';
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js';

/** Runs in a page of the browser. */
export const { computeBenchmarkIndex } = pageFunctions;
