/** A global variable in specs. Not imported, because benchmarks load this library outside jest, where `@jest/globals` only throws. */
declare const test: typeof import('@jest/globals').test;

/** Whether everything is tried, as in `npm run test:full`. */
export const isFullRun = process.env.TEST_FULL === 'yes';

/**
 * Every `step`-th case: those whose index differs from `offset` by a multiple of `step`. `npm run test:full` tries all cases. A test that combines
 * many calls with many cases passes the index of the call as `offset`, so that each call is combined with some of the cases and each case with some
 * of the calls.
 */
export function sampleEvery<T>(step: number, cases: readonly T[], offset = 0): T[] {
  return cases.filter((_, index) => isFullRun || (index - offset) % step === 0);
}

/**
 * Declares a test that runs only if `isFullRun`: a slow test of a variant (by keyboard, on a phone, with a failing server, …) of something that
 * `npm test` tests, or a test in a browser of something that integration tests cover.
 */
export function fullTest(name: string, run: () => Promise<void> | void): void {
  if (isFullRun) test(name, run);
}
