// What specs import as '@jest/globals'. Modules stay loaded from one spec file to the next, but jest makes new functions for each file.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test;

export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globals);
}
