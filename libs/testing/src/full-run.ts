/** Not imported, because benchmarks load this library outside jest, where `@jest/globals` throws. */
declare const test: typeof import('@jest/globals').test;

export const isFullRun = process.env.TEST_FULL === 'yes';

/**
 * Every `step`-th case, counted from `offset` in both directions; all cases in `npm run test:full`. To combine many calls with many cases, pass the
 * call's index as `offset`: then each call gets some of the cases, and each case some of the calls.
 */
export function sampleEvery<T>(step: number, cases: readonly T[], offset = 0): T[] {
  return cases.filter((_, index) => isFullRun || (index - offset) % step === 0);
}

/** A test for `npm run test:full` only: a slow variant of what `npm test` tests, or a test in a browser of what integration tests cover. */
export function fullTest(name: string, run: () => Promise<void> | void): void {
  if (isFullRun) test(name, run);
}
