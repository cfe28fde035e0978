// What specs import as '@jest/globals'. Modules stay loaded from one spec file to the next, but each file has its own tests, so these
// exports change with the file.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test;

/** Sets the exports for the spec file that runs next. */
export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globals);
}
