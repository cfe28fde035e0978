/** Whether each call is tried with each case, as in `npm run test:full`. */
const tryAll = process.env.TEST_ALL_CASES === 'yes';

/**
 * For a test of each of many calls with each of many cases: the cases to try with the call at this index. `npm run test:full` tries all. Otherwise it is
 * every `step`-th case, beginning with another one for each call, so that each call meets some of the cases and each case some of the calls. With the index 0,
 * it samples the cases of a single test: the first, and every `step`-th after it.
 */
export function sampleFor<T>(callIndex: number, cases: readonly T[], step: number): T[] {
  return cases.filter((_, index) => tryAll || (index + callIndex) % step === 0);
}
