import { test } from '@jest/globals';

/** Whether everything is tried, as in `npm run test:full`. */
export const isFullRun = process.env.TEST_FULL === 'yes';

/**
 * For a test of each of many calls with each of many cases: the cases to try with the call at this index. `npm run test:full` tries all. Otherwise it is
 * every `step`-th case, beginning with another one for each call, so that each call meets some of the cases and each case some of the calls. With the index 0,
 * it samples the cases of a single test: the first, and every `step`-th after it.
 */
export function sampleFor<T>(callIndex: number, cases: readonly T[], step: number): T[] {
  return cases.filter((_, index) => isFullRun || (index + callIndex) % step === 0);
}

/**
 * Declares a test that only `npm run test:full` runs: a slow one of a variant of a capability (by keyboard, on a phone, with a failing server, …).
 * `npm test` runs the test of the capability itself.
 */
export function fullTest(name: string, run: () => Promise<void> | void): void {
  if (isFullRun) test(name, run);
}
