/** A global variable in specs. Not imported, because benchmarks load this library outside jest, where `@jest/globals` only throws. */
declare const test: typeof import('@jest/globals').test;

/** Whether everything is tried, as in `npm run test:full`. */
export const isFullRun = process.env.TEST_FULL === 'yes';

/**
 * The cases to try with the call at `callIndex`, in a test that combines many calls with many cases. `npm run test:full` tries all cases.
 * Otherwise every `step`-th one is tried, and calls with successive indexes begin with different ones, so that each call is combined with
 * some of the cases and each case with some of the calls. A test without calls passes 0, and tries the first case and every `step`-th after it.
 */
export function sampleFor<T>(callIndex: number, cases: readonly T[], step: number): T[] {
  return cases.filter((_, index) => isFullRun || (index + callIndex) % step === 0);
}

/**
 * Declares a test that only `npm run test:full` runs: a slow test of a variant (by keyboard, on a phone, with a failing server, …) of
 * something that `npm test` tests, or a test in a browser of something that integration tests cover.
 */
export function fullTest(name: string, run: () => Promise<void> | void): void {
  if (isFullRun) test(name, run);
}
