// What specs import as '@jest/globals'. Modules stay loaded from one spec file to the next, but each file has its own tests, so the exports change.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test;

export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globals);
}
