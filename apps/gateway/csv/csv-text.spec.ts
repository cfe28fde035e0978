import { expect, test } from '@jest/globals';
import { csvLine } from './csv-text.js';

test.each([
  ['plain', '"plain"'],
  ['', '""'],
  ['a "b", c', '"a ""b"", c"'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', `"'=1+1"`],
  ['+44 20', `"'+44 20"`],
  ['-2', `"'-2"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\tx', `"'\tx"`],
  ['\rx', `"'\rx"`],
  ['\n=x', `"'\n=x"`],
  ['  =x', `"'  =x"`],
  ['＝x', `"'＝x"`],
  [`=cmd|' /C calc'!A0`, `"'=cmd|' /C calc'!A0"`],
  ['"=1', '"""=1"'],
  ['a=b', '"a=b"'],
])('%j is written as %s', (value, written) => {
  expect(csvLine([value, 'x'])).toBe(`${written},"x"\r\n`);
});
