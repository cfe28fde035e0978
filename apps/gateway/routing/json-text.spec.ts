import { expect, test } from '@jest/globals';
import { findFault } from './json-text.js';

const twice = 'The body contains an object with a duplicate key.';
const deep = 'The body is nested too deeply.';

test.each([
  ['{}', undefined],
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', undefined],
  ['{"a":"a","b":"a"}', undefined],
  ['["a","a"]', undefined],
  ['{"a":"\\"b\\":1","b":1}', undefined],
  ['{"a":1,"a":2}', twice],
  ['{"a" \n:1,"b":0,"\\u0061"\t:2}', twice],
  ['{"x":[{"a":1,"a":1}]}', twice],
  ['{"__proto__":1,"__proto__":2}', twice],
  ['['.repeat(32) + ']'.repeat(32), undefined],
  ['['.repeat(33), deep],
  ['{"a":'.repeat(33), deep],
  ['"' + '['.repeat(99) + '"', undefined],
  ['{"a', undefined],
  ['{"a\\', undefined],
  ['{"\\ud800":1,"\\ud800":2}', twice],
  ['}}}]]]', undefined],
  ['', undefined],
])('the fault of the JSON text %s is: %s', (text, fault) => {
  expect(findFault(text)).toBe(fault);
});
